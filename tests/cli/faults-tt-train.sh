# tt-train, with system calls failing once: repeating the command then gives the same bits as an undisturbed run.
. "$TT_ROOT/tests/cli/train.bash"
. "$TT_ROOT/tests/cli/faults.bash"
# A checkpoint or a line of the log that cannot be written ends no run that can write it later.
statuses_of() {
  case $1 in
    *EINTR | *short) echo 0 ;;
    *) echo 0 1 ;;
  esac
}
toy -q --train 60 --dev 6 --test 1 corpus
tt-bpe train -q --vocab-size 300 --coverage 1 -o subword.model corpus/{train,dev}.{en,ja}
dev="--dev corpus/dev.en corpus/dev.ja" every=2
train() {
  tt-train -q --preset tiny --encoder-layers 1 --decoder-layers 1 --d-model 8 --d-ff 8 --heads 2 --tokens 200 --warmup 2 --beam 1 \
    --max-updates 4 --valid-every 2 --save-every $every --threads 2 --tokenize char --subword subword.model \
    --train corpus/train.en corpus/train.ja $dev --extra-length 2 "$@"
}
train -o good
train -o half --max-updates 2
program() {
  local status=0  # $store: options of a stored corpus, if any
  train -o run --log log.jsonl $store >out 2>err || status=$?
  sed -i "/; training goes on, and /d; /; resuming from the checkpoint before it/d; /: max_updates is now 4, was 2$/d" err
  return $status
}
after() {
  if [ "$1" != 0 ]; then
    # A first checkpoint whose state could not be written is no run to go on with.
    [ -e run/state.tt ] || [ -e run/previous.tt ] || rm -rf run
    train -o run || echo "the same command once more: exit status $?"
  fi
  diff <(cd good && ls) <(cd run && ls)
  for file in update-0000004.tt done; do cmp good/$file run/$file; done
  # No line of the log twice, and none torn but the one that was.
  grep -oE '^\{"event":"(train|valid|end)".*"update":[0-9]+' log.jsonl | sed 's/,.*,/ /' | sort | uniq -d
  grep -v -e '^{.*}$' -e '^{"event":"torn$' log.jsonl
}
before() { rm -rf run log.jsonl; }
echo "a new run"; faults 3
before() { rm -rf run log.jsonl; cp -r half run; printf '{"event":"start"}\n{"event":"torn' >log.jsonl; }
echo "a run that goes on"; faults 2
before() { rm -rf run log.jsonl pairs; }
train -o stored --store old.pairs && cmp stored/update-0000004.tt good/update-0000004.tt
store="--store pairs"
echo "a run that stores its corpus"; faults 3
before() { rm -rf run log.jsonl; cp -r half run; cp old.pairs pairs; }
echo "a run that reads a stored corpus"; faults 2
echo "a file system without locks"
rm -rf run calls && cp -r half run
TT_FAULT_LOG=$PWD/calls train -o run
for call in $(grep -nx lock calls | cut -d: -f1); do
  rm -rf run && cp -r half run
  TT_FAULT=$call:ENOLCK train -o run 2>&1 | grep -v 'max_updates is now'
  cmp good/update-0000004.tt run/update-0000004.tt
done
# A run that is saved once, at its end.
dev= store= every=0
before() { rm -rf run log.jsonl; }
rm -rf good && train -o good
echo "a run that is saved once"; faults 2
