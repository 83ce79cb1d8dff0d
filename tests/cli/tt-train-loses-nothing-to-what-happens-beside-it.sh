# A reader of the log that goes away, a terminal that is closed, another start, and another --save-every take nothing from a run.
. "$TT_ROOT/tests/cli/train.bash"
set -m
prepare
run="tt-train $quick -q --train corpus/train.en corpus/train.ja --subword subword.model --threads 1"
{ until [ -e gone ]; do sleep 0.02; done; $run -o read --max-updates 20 --report-every 1 --log - 2>message; } | { exec <&-; touch gone; }
echo "exit status ${PIPESTATUS[0]}, $(cat read/done)"
cat message

# A terminal that is closed may send its signal twice.
$run -o twice --max-updates 4000 --report-every 1 --log log-twice &
until [ -s log-twice ] && [ "$(wc -l <log-twice)" -gt 12 ]; do sleep 0.02; done
kill -HUP $!; kill -HUP $! 2>/dev/null
wait $!
echo "SIGHUP twice: exit status $?, $(tail -n 1 log-twice | grep -c '"reason":"signal"') end, $(ls twice | grep -c '^update') or more checkpoints" |
  sed 's/[1-9] or/1 or/'
# While text is read there is nothing to save.
mkfifo text
# Gives text once somebody has asked for it and FILE is there.
text_after() { bash -c "exec >text; touch asked; until [ -e $1 ]; do sleep 0.02; done; paste corpus/train.*"; }
asked() { until [ -e asked ]; do sleep 0.02; done; rm asked; }
text_after never 2>/dev/null &
writer=$!
tt-train $quick -q --train text --subword subword.model -o none &
asked
kill $!
wait $!
echo "SIGTERM before the first update: exit status $?, $(ls -d none* 2>/dev/null | wc -l) files"
kill -- -$writer

# Another run is made in the folder while this one waits for its text.
text_after race/done &
tt-train $quick -q --train text --subword subword.model -o race --max-updates 4 2>message &
asked
$run -o race --max-updates 10
wait $!
echo "the later one: exit status $?"
cat message
ls race

# Checkpoints of an earlier --save-every count.
$run -o every --save-every 2 --max-updates 8 --keep-last 3
$run -o every --save-every 5 --max-updates 10 --keep-last 3 2>/dev/null
ls every | grep ^update
