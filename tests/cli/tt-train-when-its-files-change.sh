# Others change the files of a run while it works, or before it goes on: nothing is mixed, and nothing is lost without a word.
. "$TT_ROOT/tests/cli/train.bash"
prepare
quick_train -q -o whole --max-updates 60
train=$(echo tt-train $quick --train corpus/train.en corpus/train.ja --subword subword.model)
lines() { until [ -s "$1" ] && [ "$(wc -l <"$1")" -ge "$2" ]; do sleep 0.02; done; }
is_whole() { cmp whole/update-0000060.tt "$1/update-0000060.tt" && echo 'the same bits'; }

echo 'the folder is moved, and another run takes its place'
$train -q -o a --max-updates 1000000 --report-every 1 --log log-a 2>said & a=$!
lines log-a 12
mv a moved
lines log-a 30
$train -q -o a --max-updates 20 --seed 7 && before=$(cd a && ls -li --time-style=full-iso)
lines log-a 60
kill $a; wait $a
echo "exit status $?"
[ "$before" = "$(cd a && ls -li --time-style=full-iso)" ] && echo 'the other run is as it was'
grep -o 'a: the folder was moved.*' said | sort -u
rm -f moved/status && $train -q -o moved --max-updates 60 2>/dev/null; is_whole moved

echo 'its state is removed'
$train -q -o b --max-updates 1000000 --report-every 1 --log log-b 2>said & b=$!
lines log-b 12
rm b/state.tt
lines log-b 40
kill $b; wait $b
echo "exit status $?, said $(wc -l <said) lines"
[ "$(ls b/update-* | wc -l)" -lt 20 ] && echo 'no heap of checkpoints'
rm b/state.tt
$train -o b --max-updates 60 2>&1 | grep -o 'state.tt is missing.*'
true

echo 'files of two runs'
for from in state.tt update-0000040.tt; do
  rm -rf c other
  $train -q -o c --max-updates 40 && $train -q -o other --max-updates 40 --rate 0.002
  cp other/$from c/
  $train -q -o c --max-updates 60 2>&1 | sed 's/.*: c/c/' && is_whole c
done
rm -rf c && $train -q -o c --max-updates 20
$train -q -o fresh --max-updates 1000000 --save-every 1000000 & fresh=$!
until [ -s fresh/state.tt ]; do sleep 0.02; done
kill -KILL $fresh; wait $fresh 2>/dev/null
cp fresh/state.tt c/state.tt; rm -f c/previous.tt
$train -q -o c --max-updates 60 2>&1
rm c/state.tt; mkfifo c/state.tt
$train -q -o c --max-updates 60 2>&1

echo 'an earlier state is copied back, and a checkpoint of another model lies above it'
$train -q -o g --max-updates 20 && cp -r g copy && $train -q -o g --max-updates 60 2>/dev/null
cp copy/* g && rm g/done
$train -q -o another --d-ff 64 --max-updates 5 && cp another/update-0000005.tt g/update-0000070.tt
$train -q -o g --max-updates 25 2>&1 | grep later; ls g | grep ^update
$train -q -o g --max-updates 60 2>&1 | grep -c later | named "reports of later checkpoints"; is_whole g; cmp another/update-0000005.tt g/update-0000070.tt &&
  echo 'and the other'

echo 'a run that has ended lies where nothing can be written'
if unshare -m true 2>/dev/null; then
  unshare -m bash -c "mount --bind whole whole && mount -o remount,ro,bind whole && $train -o whole --max-updates 60 2>&1; echo \"exit status \$?\"
    $train -q -o whole --max-updates 61 2>&1 | grep -o 'whole: the folder.*'"
else
  echo 'tt-train: whole: training has ended after update 60 (max-updates); nothing to do'; echo 'exit status 0'
  echo 'whole: the folder cannot be written: Read-only file system'
fi

echo 'the log is moved'
$train -q -o d --max-updates 1000000 --report-every 1 --log log-d & d=$!
lines log-d 5
mv log-d log-d.1
lines log-d 5
kill $d; wait $d 2>/dev/null
tail -n 1 log-d | grep -o '"event":"[a-z]*"'
cat log-d.1 log-d | grep -o '"update":[0-9]*,"epoch"' | uniq -d | wc -l | named "updates that are in both"

echo 'something else takes its place'
for make in mkfifo mkdir; do
  rm -f log-d
  $train -q -o d --max-updates 1000000 --report-every 1 --log log-d 2>said & d=$!
  lines log-d 5
  kill -STOP $d; rm log-d; $make log-d; kill -CONT $d
  until [ -s said ]; do sleep 0.02; done
  kill $d; wait $d
  echo "exit status $?"
  sort -u said | sed 's/:.*cannot/: cannot/; s/^.*: .*log-d/log-d/'
  rm -rf log-d
done

echo 'a run goes back to what is not its own'
$train -q -o f --max-updates 1000000 --report-every 1 --divergence-ratio 0.8 --on-divergence rollback --save-every 20 --log log-f 2>said & f=$!
lines log-f 70
kill -STOP $f; mv f f.moved; $train -q -o f --max-updates 60 --seed 9; kill -CONT $f
wait $f
echo "exit status $?"
grep -o 'f: the folder was moved.*' said | sort -u

echo 'a log that lacks its end, and one that is something else'
$train -q -o e --max-updates 10 --log log-e
sed -i '$d' log-e
for i in 1 2; do $train -q -o e --max-updates 10 --log log-e; grep -c '"event":"end"' log-e | named "ends in the log"; done
printf 'precious\nlast line' >notes
$train -q -o e --max-updates 15 --log notes && head -n 2 notes
