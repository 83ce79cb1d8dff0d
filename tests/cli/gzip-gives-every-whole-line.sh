# Of a truncated file, every complete line that gzip can read is mapped before the error; trailing data costs no line.
. "$TT_ROOT/tests/cli/train.bash"
toy -q --train 600 --dev 30 --test 400 corpus
tt-bpe train -q --vocab-size 400 -o subword.model corpus/train.en corpus/train.ja
quick_train -q -o run --max-updates 5
model=run/update-0000005.tt
gzip -nc corpus/test.en >whole.gz
for part in 2 3; do
  head -c $(($(wc -c <whole.gz) * part / 4)) whole.gz >cut.gz
  lines=$(gzip -dc cut.gz 2>/dev/null | wc -l)
  [ "$lines" -gt 100 ] || echo "only $lines lines"
  tt-bpe encode -q -m subword.model cut.gz >encoded; echo "exit status $?, $(($(wc -l <encoded) - lines)) lines more than gzip reads"
  tt-translate -q --beam 1 --extra-length 2 -m $model cut.gz >translated; echo "exit status $?, $(($(wc -l <translated) - lines)) lines more than gzip reads"
done 2>errors
grep -v 'does not know' errors | sed -E 's/line [0-9]+/line N/' | sort | uniq -c | sed 's/^ *//'
{ cat whole.gz; head -c 5000 /dev/zero; } >padded.gz
{ cat whole.gz whole.gz; echo junk; } >junk.gz
tt-bpe encode -q -m subword.model whole.gz >encoded
tt-bpe encode -q -m subword.model padded.gz | cmp - encoded && echo "padding: the same"
tt-bpe encode -q -m subword.model <junk.gz | cmp - <(cat encoded encoded) && echo "junk: the same"
tt-bpe encode -q -m subword.model junk.gz | cmp - <(cat encoded encoded) && echo "junk: the same"
