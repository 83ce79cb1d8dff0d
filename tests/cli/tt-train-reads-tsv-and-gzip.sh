# A text as files, compressed, and as TSV on stdin trains the same model; so does giving the joint subword model for each side.
. "$TT_ROOT/tests/cli/train.bash"
prepare
gzip -k corpus/train.en corpus/train.ja
limits="-q --max-updates 3"
quick_train $limits -o files
tt-train $quick $limits -o gzip --train corpus/train.en.gz corpus/train.ja.gz --subword subword.model
paste corpus/train.en corpus/train.ja | tt-train $quick $limits -o tsv --train - --subword subword.model
cp subword.model copy.model
tt-train $quick $limits -o sides --train corpus/train.en corpus/train.ja --subword subword.model copy.model
for run in gzip tsv sides; do cmp files/update-0000003.tt $run/update-0000003.tt && echo $run; done
# One model for each language, with embeddings of their own.
tt-bpe train -q --vocab-size 300 -o en.model corpus/train.en
tt-bpe train -q --vocab-size 400 -o ja.model corpus/train.ja
tt-train $quick $limits -o two --train corpus/train.en corpus/train.ja --subword en.model ja.model --embeddings target
head -n 3 corpus/test.en | tt-translate -q -m two/update-0000003.tt | wc -l
tt-train $quick $limits -o shared --train corpus/train.en corpus/train.ja --subword en.model ja.model
echo "exit status $?"
