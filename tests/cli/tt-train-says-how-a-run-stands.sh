# tt-train --status: one line about a folder, whatever its run is doing, which it neither takes the lock of nor changes.
. "$TT_ROOT/tests/cli/train.bash"
prepare
run="tt-train $quick -q --report-every 5 --train corpus/train.en corpus/train.ja --subword subword.model --threads 1 -o run"
masked() { sed -E 's/loss [0-9.]+/loss X/; s/[0-9,]+ tokens/N tokens/; s/ [0-9:]+ left/ T left/; s/update [0-9,]+/update U/'; }
$run --max-updates 100000 &
until [ -s run/status ]; do sleep 0.02; done
tt-train --status run | masked
kill $!
wait $! 2>/dev/null
before=$(cd run && ls -li --time-style=full-iso)
tt-train --status run | masked
[ "$before" = "$(cd run && ls -li --time-style=full-iso)" ] && echo untouched
$run --report-every 1 --max-updates $(($(ls run/update-* | tail -n 1 | tr -dc 0-9 | sed 's/^0*//') / 5 * 5 + 10)) --dev corpus/dev.en corpus/dev.ja
tt-train --status run | masked | sed -E 's/of [0-9]+/of N/; s/BLEU [0-9.]+/BLEU B/'
# It goes on with another limit, and is stopped before it reports.
$run --max-updates 100000 --report-every 100000 &
while [ -e run/done ]; do sleep 0.02; done
kill $!
wait $! 2>/dev/null
tt-train --status run | masked | sed -E 's/BLEU [0-9.]+/BLEU B/'
tt-train --status corpus
echo "exit status $?"
# Threads beyond the shards have nothing to do, which is said.
tt-train $quick --train corpus/train.en corpus/train.ja --subword subword.model --threads 3 --shards 2 --max-updates 1 -o idle 2>&1 | grep idle
