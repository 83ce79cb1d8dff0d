# With little memory a program works or says that there is too little, and ends: threads that libraries have started for
# themselves do not keep it. (With still less, some versions of OpenBLAS wait for memory before a program begins.)
. "$TT_ROOT/tests/cli/train.bash"
case $(basename "$BUILD") in *asan* | *tsan*) echo "sanitizers need much memory" >&2; exit 77 ;; esac
prepare
trained_run 1
for kilobytes in 300000 200000 150000 120000 100000 80000; do
  for command in "tt-train --print-config" "tt-translate --threads 1 -q -m run/update-0000001.tt corpus/dev.en" "tt-bleu corpus/dev.en -i corpus/dev.en"; do
    (ulimit -v $kilobytes && timeout 10 $command >out 2>err)
    [ $? -eq 124 ] || continue
    [ -s out ] || break 2
    echo "$kilobytes KiB: $command does not end"
  done
done
echo "tried"
# Threads with small stacks.
(ulimit -s 512; quick_train -q -o stack --max-updates 2; echo "exit status $?"; tt-translate -q -m stack/update-0000002.tt <corpus/test.en | wc -l)
