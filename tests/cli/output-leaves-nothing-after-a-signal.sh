# On a signal the partial file is removed and the old file kept; ignored signals, as under nohup, have no effect.
. "$TT_ROOT/tests/cli/bpe.bash"
lines 600 >text
tt-bpe train -q --vocab-size 100 -o bpe.model text
cp bpe.model before
# try SIGNAL [PROGRAM...]: a training whose text does not end gets it, from a pipe of its own: the process that the last one has
# trained in dies a moment after it, and reads its pipe until then
try() {
  local signal=$1 number
  shift
  rm -f pipe; mkfifo pipe
  env --default-signal="$signal" "$@" tt-bpe train -q --vocab-size 100 -o bpe.model pipe &
  exec 9>pipe
  cat text >&9
  for _ in {1..300}; do
    compgen -G 'bpe.model.partial-*' >seen && break
    sleep 0.1
  done
  number=$(wc -l <seen)
  kill -s "$signal" $!
  if [ $# -gt 0 ]; then sleep 0.2; exec 9>&-; fi
  wait $!
  echo "$signal $*: exit status $?, $number partial file then, $(compgen -G '*partial*' | wc -l) now"
  exec 9>&-
  if cmp -s bpe.model before; then echo "what was there is there"; else echo "it is another"; fi
}
try TERM
try INT
try HUP
ulimit -c 0
try QUIT
try XCPU
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:handle_segv=0  # which ASan would answer itself
for signal in USR1 USR2 ALRM VTALRM PROF ABRT SEGV RTMIN; do try $signal; done 2>/dev/null
printf 'the old mill\n%.0s' {1..50} >>text
try HUP nohup 2>said
cmp -s bpe.model before && cat said
# What a killed program left goes when the same file is written again, but not what another program is writing, nor what has such a name.
rm pipe; mkfifo pipe
begin() { # a training whose text does not end, once it has its partial file
  tt-bpe train -q --vocab-size 100 -o bpe.model pipe &
  exec 9>pipe
  cat text >&9
  while ! compgen -G "bpe.model.partial-*$!" >seen; do sleep 0.1; done
}
begin
kill -KILL $!; wait $! 2>/dev/null
exec 9>&-
# The process that it has trained in dies with it, a moment later: until then it reads the pipe, and has the file locked.
until flock -n "$(cat seen)" true; do sleep 0.1; done
rm pipe; mkfifo pipe
compgen -G 'bpe.model.partial-*' | cmp - seen && echo 'a partial file is left'
: >bpe.model.partial-notes; : >bpe.model.partial-7; : >other.partial-0000000007; mkfifo bpe.model.partial-0000000008
begin
compgen -G 'bpe.model.partial-*' | grep -v "$!" | LC_ALL=C sort; cp seen before.seen
tt-bpe train -q --vocab-size 100 -o bpe.model text
compgen -G 'bpe.model.partial-*' | grep "$!" | cmp - before.seen && echo "that of a running program stays"
exec 9>&-
wait $!; echo "exit status $?"
rm -f seen before.seen text said
ls
