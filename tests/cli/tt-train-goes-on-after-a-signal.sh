# SIGTERM, SIGINT and SIGHUP save a checkpoint and end the program by that signal; SIGKILL saves nothing; in each case the same
# command resumes, and the result is, bit for bit, that of an undisturbed run. There is no partial file in the folder.
. "$TT_ROOT/tests/cli/train.bash"
set -m  # without job control SIGINT would be ignored
prepare
run="tt-train $quick -q --max-updates 400 --report-every 1 --train corpus/train.en corpus/train.ja --subword subword.model"
$run -o whole --threads 1
for signal in TERM INT HUP KILL; do
  $run -o run-$signal --log log-$signal &
  until [ -s log-$signal ] && [ "$(wc -l <log-$signal)" -gt 12 ]; do sleep 0.02; done
  kill -$signal $!
  wait $! 2>/dev/null
  echo "$signal: exit status $?"
  [ ! -e run-$signal/done ] || echo "finished before the signal"
  $run -o run-$signal --log log-$signal
  cmp whole/update-0000400.tt run-$signal/update-0000400.tt && echo same
  ls run-$signal | sed 's/update-.*/update/' | sort | uniq -c | sed 's/^ *//'
done
# Two runs in one folder would spoil it: the second is refused.
$run -o busy --log log-busy &
until [ -s log-busy ]; do sleep 0.02; done
$run -o busy
echo "second: exit status $?"
kill $! && wait $!
echo "first: exit status $?"
# A log whose last line was truncated by a crash continues with complete lines.
printf '{"event":"tra' >>log-busy
$run -o busy --log log-busy
grep -vc '^{.*}$' log-busy || true
# Signals that were ignored before stay so.
(trap '' HUP; exec $run -o deaf --log log-deaf) &
until [ -s log-deaf ] && [ "$(wc -l <log-deaf)" -gt 12 ]; do sleep 0.02; done
kill -HUP $!
wait $!
echo "SIGHUP ignored: exit status $?"
# A validation is broken off, in the middle of a run and at its end, and made when the run goes on.
for i in 1 2 3 4 5 6 7 8 9 10; do cat corpus/train.en; done >dev.en
for i in 1 2 3 4 5 6 7 8 9 10; do cat corpus/train.ja; done >dev.ja
slow="$run --threads 1 --max-updates 10 --valid-every 5 --dev dev.en dev.ja"
$slow -o all --log log-all
for update in 5 10; do
  $slow -o cut-$update --log log-cut-$update &
  until [ -e cut-$update/update-$(printf %07d $update).tt ]; do sleep 0.02; done
  kill $!
  wait $!
  echo "validation after $update: exit status $?, $(grep -c '"valid"' log-cut-$update) made, $(ls cut-$update | grep -c done) done"
  $slow -o cut-$update --log log-cut-$update
  cmp all/update-0000010.tt cut-$update/update-0000010.tt && echo same
  bleu() { sed -n 's/.*"event":"valid".*"bleu":\([0-9.]*\).*/\1/p' $1; }
  [ "$(bleu log-all)" = "$(bleu log-cut-$update)" ] && echo "the same validations"
done
# Before the first reader of its log has come nothing is there to be saved.
mkfifo unread
$run -o waits --log unread &
within() { for _ in $(seq 500); do "$@" && return; sleep 0.02; done; false; }  # 10 seconds
waits() { [ "$(cat /proc/$!/wchan 2>/dev/null)" = wait_for_partner ]; }
ended() { ! kill -0 $! 2>/dev/null; }
within waits
kill $!
within ended || kill -KILL $!
wait $!
echo "log that nobody reads: exit status $?, $(ls waits 2>/dev/null | wc -l) files"
$run -o waits --log waits/log --max-updates 5
[ -s waits/log ] && echo 'a log in the folder'
# A pipe that is full, as nobody reads it, is not waited for after a signal.
mkfifo full
sleep 100 <full & sleeper=$!
$run -o stuck --log full --max-updates 100000 2>/dev/null & stuck=$!
full() { [ "$(cat /proc/$stuck/task/$stuck/wchan 2>/dev/null)" != 0 ] && [ -e stuck/state.tt ] && [ "$(date +%s -r stuck/status)" -lt $(($(date +%s) - 2)) ]; }
within full
kill $stuck
stopped() { ! kill -0 $stuck 2>/dev/null; }
within stopped || kill -KILL $stuck
wait $stuck
echo "log that is full: exit status $?"
kill $sleeper
# Killed while it removed what it does not keep: that is done when the same command comes again.
$run -o few --threads 1 --keep-last 2 --keep-best 0
ls few >before
$run -o early --max-updates 5
cp early/update-0000005.tt few
$run -o few --threads 1 --keep-last 2 --keep-best 0
ls few | diff before - && echo 'removed what it does not keep'
