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
# What was ignored before stays so.
(trap '' HUP; exec $run -o deaf --log log-deaf) &
until [ -s log-deaf ] && [ "$(wc -l <log-deaf)" -gt 12 ]; do sleep 0.02; done
kill -HUP $!
wait $!
echo "SIGHUP ignored: exit status $?"
