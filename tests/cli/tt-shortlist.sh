# Lists of likely translations: what is in them, what they cover, and which are refused.
. "$TT_ROOT/tests/cli/train.bash"
. "$TT_ROOT/tests/cli/refused.bash"
prepare
printf '%s\t%s\n' "das Haus" "the house" "das Buch" "the book" "ein Buch" "a book" "ein Haus" "a house" >tiny.tsv
for i in 1 2 3 4 5; do cat tiny.tsv; done >text.tsv
tr '\t' '\n' <text.tsv | tt-bpe train -q --vocab-size 44 -o words.model
tt-shortlist train -q -m words.model --best 1 --first 3 --iterations 20 -o words.bin text.tsv
tt-shortlist show -m words.model words.bin | grep -E '^▁(Haus|Buch)'$'\t'
echo "A text that was learned is covered"
cut -f 1 text.tsv >de; cut -f 2 text.tsv >en
tt-shortlist train -q -m words.model -o - de en >all.bin
tt-shortlist cover -m words.model all.bin text.tsv | sed 's/.*target/target/'
tt-shortlist cover -m words.model words.bin de en | grep -c 'lines with all = 100'
echo "As many threads as you like"
tt-shortlist train -q -m subword.model -o one --best 40 --first 100 --threads 1 corpus/train.en corpus/train.ja
tt-shortlist train -q -m subword.model -o two --best 40 --first 100 --threads 2 <(cat corpus/train.en) corpus/train.ja && cmp one two
tt-shortlist cover -m subword.model one corpus/dev.en corpus/dev.ja | awk '{ print ($5 < $7), ($12 > 95), ($18 > 50) }'
echo "What is refused"
refused tt-shortlist show -m words.bin words.bin
refused tt-shortlist show -m subword.model words.bin
refused tt-shortlist show -m subword.model subword.model
head -c 100 one >short; refused tt-shortlist show -m subword.model short
(head -c 300 one; printf X; tail -c +302 one) >bad; refused tt-shortlist cover -m subword.model bad text.tsv
refused tt-shortlist cover -m subword.model one de
refused tt-shortlist train -m words.model -o de de en
refused tt-shortlist train -m words.model -o new de en en
refused tt-shortlist train -m words.model -o new --best 0 de en
refused tt-shortlist train -m words.model -o new none none
refused tt-shortlist train -m words.model -o new --max-length 1 de en
: >empty; refused tt-shortlist train -m words.model -o new empty empty
[ -e new ] || echo "nothing was written"
