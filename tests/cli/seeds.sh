# Two settings with two seeds each, by models of a few updates: a table, a picture, significance; and a program that makes means of any table.
seeds() { make -s -C "$TT_ROOT" -f data/seeds.mk BIN="$BUILD" OUT="$PWD/out" THREADS=1 SEEDS="1 2" SUBWORD='--type bpe --vocab-size 600' AVERAGE='--last 2' \
  TRAINING='--preset tiny --encoder-layers 1 --decoder-layers 1 --d-model 32 --d-ff 64 --tokens 256 --max-updates 4 --save-every 2 --valid-every 0 $(MORE)' \
    "$@" 2>log || cat log >&2; }
toy -q --train 300 --dev 5 --test 20 corpus
data="DATA=$PWD/corpus"
seeds "$data" | awk -F '\t' '/^setting/ { print; next } /^[AB]\t/ { print $1, ($2 >= 0), ($3 >= 0), $4 } /p = / { print "B has a p" }'
head -c 5 out/seeds.svg; echo
for run in A@1 A@2 B@1 B@2; do tt-model config -m out/$run/model.tt | grep -E '"(label_smoothing|seed)"' | tr -d '\n'; echo " $run"; done
for twice in "" "2 1 2"; do make -C "$TT_ROOT" -f data/seeds.mk BIN="$BUILD" OUT="$PWD/none" SEEDS="$twice" 2>&1 | grep -o 'SEEDS is.*\.  Stop'; done
printf 'row\tseed\tx\ty\na\t1\t1\t2\nb\t1\t5\t-\na\t2\t3\t2\na\t3\t8\t2\n' | "$TT_ROOT/data/means" | tee means
printf 'row\tseed\tx\na\t1\n' | "$TT_ROOT/data/means"; echo "exit status $?"
tt-table-plot -q -o means.svg means && head -c 5 means.svg
