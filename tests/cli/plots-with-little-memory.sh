# A picture that there is too little memory for is none: status 1 and one line, not a signal, and no part of a file.
case $(basename "$BUILD") in *asan* | *tsan*) echo "sanitizers need much memory" >&2; exit 77 ;; esac
printf '%s\t%s\n' beam tokens/s 1 1600 2 800 4 400 >speed.tsv
failed=0
try() { # KILOBYTES COMMAND...
  (ulimit -d $1 && "${@:2}" -o picture 2>err)
  local status=$?
  [ $status -ne 1 ] || failed=1
  # (With less, OpenBLAS ends a program before it begins.)
  [ $status -eq 0 ] && [ -s picture ] || { [ $status -eq 1 ] && [ "$(wc -l <err)" = 1 ]; } || grep -q OpenBLAS err ||
    { echo "$*: status $status"; cat err; }
  rm -f picture
}
for kilobytes in 10000 20000 30000 40000 1000000; do
  try $kilobytes tt-table-plot --format png speed.tsv
done
try 25000 tt-pe-plot --format pdf -n 20 -d 32
try 25000 tt-table-plot --format svg speed.tsv
ls
echo "one failed: $failed"
