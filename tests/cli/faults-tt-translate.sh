# tt-translate, with system calls failing once: the output is the beginning of the full output.
. "$TT_ROOT/tests/cli/train.bash"
. "$TT_ROOT/tests/cli/faults.bash"
toy -q --train 60 --dev 1 --test 300 corpus
tt-bpe train -q --vocab-size 300 --coverage 1 -o subword.model corpus/train.en corpus/train.ja corpus/test.en
tt-train -q --preset tiny --encoder-layers 1 --decoder-layers 1 --d-model 8 --d-ff 8 --heads 2 --tokens 200 --warmup 2 --max-updates 2 \
  --valid-every 0 --train corpus/train.en corpus/train.ja --subword subword.model -o run
translate() { tt-translate -q -m run/update-0000002.tt --beam 1 --extra-length 1 "$@"; }
gzip -c corpus/test.en >test.gz
translate test.gz >good
before() { :; }
program() { translate --threads 2 test.gz >out 2>err; }
after() { stream "$1" good; }
faults 5
translate --attention records test.gz >/dev/null
program() { translate --attention - test.gz >out 2>err; }
after() { stream "$1" records; }
echo "attention"; faults 3
