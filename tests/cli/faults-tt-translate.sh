# tt-translate and tt-cgi, with system calls failing once: the output is the beginning of the full output, or the answer says status 500.
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
mkdir models
cp run/update-0000002.tt models/en-ja.tt
printf '{"q":"The dog eats.","source":"auto","target":"ja"}' >body
export REQUEST_METHOD=POST PATH_INFO=/translate CONTENT_TYPE=application/json
CONTENT_LENGTH=$(wc -c <body) tt-cgi -d models <body >good
program() { CONTENT_LENGTH=$(wc -c <body) tt-cgi -d models --threads 2 <body >out 2>err; }
after() { [ "$1" != 0 ] && grep -q '^Status: 500' out || stream "$1" good; }
echo "tt-cgi"; faults 5
