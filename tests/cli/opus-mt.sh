# The recipe for models of OPUS-MT, from a server of files: imported, scored, trained on.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 5
tt-export -q --to hugging-face -o server run/update-0000005.tt
head -n 20 corpus/train.en >my.en; head -n 20 corpus/train.ja >my.ja
recipe() {
  make -s -f "$TT_ROOT/data/opus-mt.mk" BIN="$BUILD" OUT=out server="file://$PWD/server" \
    parts="config.json generation_config.json source.spm target.spm vocab.json model.safetensors" "$@" >log 2>&1
  echo "make ${*%%=*}: exit status $?"
}
recipe import PAIR=en-ja; grep -c '^tt-import' log | named "imports"
tt-translate -q -m out/opus-mt-en-ja.tt <my.en | wc -l | named "lines"
recipe import PAIR=en-ja; wc -c <log | named "bytes of the log where nothing is to be done"

# A test set that is there already.
mkdir out/archives; touch out/archives/wmt20.tgz; sleep 0.01
cp my.en out/wmt20.en-ja.src; cp my.ja out/wmt20.en-ja.ref
recipe wmt20 PAIR=en-ja; grep -o '"name": "BLEU"\|^BLEU' log

tuning="--tokens 400 --rate 0.001 --warmup 2 --save-every 1 --keep-last 2 --valid-every 0 --max-updates"
recipe tune PAIR=en-ja TRAIN="my.en my.ja" TUNING="$tuning 3" AVERAGE="--last 2"; grep -c 'took' log | named "reports of what was taken"
recipe tune PAIR=en-ja TRAIN="my.en my.ja" TUNING="$tuning 5" AVERAGE="--last 2"; ls out/opus-mt-en-ja.tuned | grep update
cmp -s out/opus-mt-en-ja.tt out/opus-mt-en-ja.tuned.tt || echo "another model"
tt-translate -q -m out/opus-mt-en-ja.tuned.tt <my.en | wc -l | named "lines"
recipe wmt20 PAIR=en-ja MODEL=out/opus-mt-en-ja.tuned.tt; grep -o '"name": "BLEU"\|^BLEU' log
recipe tune PAIR=en-ja; grep -o 'say with.*' log
recipe tune PAIR=en-ja TRAIN="my.ja my.en" TUNING="$tuning 5" AVERAGE="--last 2"; grep -o 'was tuned.*' log
head -n 5 corpus/train.en >>my.en; head -n 5 corpus/train.ja >>my.ja
recipe tune PAIR=en-ja TRAIN="my.en my.ja" TUNING="$tuning 5" AVERAGE="--last 2"; grep -o 'was tuned.*' log

# A group of languages: the model as that of another pair, which is given what it reads.
cp out/archives/wmt20.tgz out/archives/wmt14.tgz
cp my.en out/wmt14.en-ja.src; cp my.ja out/wmt14.en-ja.ref
recipe wmt14 PAIR=en-EAST; grep -o 'are no two languages' log
recipe wmt14 PAIR=en-EAST SET=en-ja TOKEN='>>ja<<'; grep -o '"name": "BLEU"\|^BLEU' log
sed 's/^/>>ja<< /' my.en | tt-translate -q -m out/opus-mt-en-EAST.tt | cmp - out/wmt14.en-EAST.hyp

# Files that are not there, and options that are missing.
rm -r out/opus-mt-en-ja out/opus-mt-en-ja.tt server/source.spm
recipe import PAIR=en-ja; grep -c '^curl' log | named "failed downloads"; ls out/opus-mt-en-ja.tt 2>/dev/null
recipe import; grep -o 'say of which languages' log
