# A thread that cannot be started gives one error line. The cause here is a limit on processes, which does not apply to root.
. "$TT_ROOT/tests/cli/bpe.bash"
lines 300 >text
tt-bpe train -q --vocab-size 100 -o bpe.model text
chmod 755 . && chmod 644 ./*
limited() { # as a user who has no other process
  local run=(prlimit --nproc=12 "$@")
  [ "$(id -u)" != 0 ] || run=(setpriv --reuid=54321 --regid=54321 --clear-groups "${run[@]}")
  OPENBLAS_NUM_THREADS=1 "${run[@]}"
}
limited tt-bpe encode -q --threads 2 -m bpe.model text >out 2>err || { echo "no limit on processes can be set here, or no other user be" >&2; exit 77; }
try() { limited "$@" >out 2>err; echo "exit status $?, $(wc -c <out) bytes"; sed -E 's/thread [0-9]+/thread N/' err; }
try tt-bpe encode -q --threads 100 -m bpe.model text
try tt-bleu --threads 100 text <text
