# Event files for TensorBoard: each run in a folder of its own, with all of its numbers, in bytes that do not change.
. "$TT_ROOT/tests/cli/log.bash"
run 100 300 >a.jsonl
echo '{"event":"valid","update":200,"bleu":12.5,"loss":null}' >>a.jsonl
run 100 200 >b.jsonl
try() { tt-log-plot "$@"; echo "exit status $?"; }
try base=a.jsonl b=b.jsonl --tensorboard events
find events -type f | sort
grep -aoE '(train|valid)/[a-z_]+' events/base/* | sort | uniq -c | sed 's/^ *//'
# The first record: its length, its CRC, and what every event file begins with.
head -c 40 events/base/* | od -An -tx1
cksum <events/base/events.out.tfevents.0.tt
try base=a.jsonl --tensorboard events && cksum <events/base/events.out.tfevents.0.tt
try ..=a.jsonl --tensorboard events
try a.jsonl --tensorboard events -o x.svg
try none.jsonl --tensorboard other; [ ! -e other ] && echo "nothing was made"
