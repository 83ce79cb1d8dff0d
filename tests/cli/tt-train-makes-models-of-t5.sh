# A model with the settings of T5 trains, with the same bits for any number of threads, and goes on from its parameters;
# every program takes it.
. "$TT_ROOT/tests/cli/train.bash"
prepare
t5="--norm pre --norm-type rms --positions relative --position-buckets 8 --position-distance 20 --scores dot --d-k 12 --d-v 12
    --ffn-gate --ffn-bias=false --activation gelu --scale-embeddings=false --embeddings inputs"
quick_train -q $t5 -o run --max-updates 10
quick_train -q $t5 -o again --max-updates 10 --threads 3
cmp run/update-0000010.tt again/update-0000010.tt && echo "the same bits with three threads"
tt-train -q --from run/update-0000010.tt --train corpus/train.en corpus/train.ja -o more --tokens 400 --max-updates 5
tt-average -q -o both.tt run/update-00000{05,10}.tt
tt-average -q --int8 -o eight.tt more/update-0000005.tt
for model in run/update-0000010.tt more/update-0000005.tt both.tt eight.tt; do
  tt-translate -q -m $model <corpus/test.en | wc -l
done
tt-translate -q -m run/update-0000010.tt -m more/update-0000005.tt <corpus/test.en | wc -l
head -n 1 corpus/test.en | tt-translate -q -m run/update-0000010.tt --trace t.jsonl >out && tt-trace t.jsonl -o page.html
tt-trace t.jsonl | grep -c 'gate.times'

echo "what contradicts itself"
quick_train $t5 -o bad --position-distance 4 2>&1; echo "  exit status $?"
quick_train $t5 -o bad --scores additive 2>&1; echo "  exit status $?"
