# With little memory a program works or says that there is too little, and ends: threads that libraries have started for
# themselves do not keep it.
. "$TT_ROOT/tests/cli/train.bash"
case $(basename "$BUILD") in *asan* | *tsan*) echo "sanitizers need much memory" >&2; exit 77 ;; esac
prepare
quick_train -q -o run --max-updates 1
for kilobytes in 60000 80000 100000 120000 150000 200000 300000; do
  for command in "tt-translate --threads 1 -q -m run/update-0000001.tt corpus/dev.en" "tt-train --print-config" "tt-bleu corpus/dev.en -i corpus/dev.en"; do
    (ulimit -v $kilobytes && timeout 60 $command >out 2>err)
    [ $? -ne 124 ] || echo "$kilobytes KiB: $command does not end"
  done
done
echo "tried"
