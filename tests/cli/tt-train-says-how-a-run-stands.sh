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
$run --report-every 1 --max-updates $(($(ls run/update-* | tail -n 1 | tr -dc 0-9 | sed 's/^0*//') / 5 * 5 + 10)) --dev corpus/dev.en corpus/dev.ja 2>/dev/null
tt-train --status run | masked | sed -E 's/of [0-9]+/of N/; s/BLEU [0-9.]+/BLEU B/'
# It goes on with another limit, and is stopped before it reports.
$run --max-updates 100000 --report-every 100000 2>/dev/null &
while [ -e run/done ]; do sleep 0.02; done
kill $!
wait $! 2>/dev/null
tt-train --status run | masked | sed -E 's/BLEU [0-9.]+/BLEU B/'
tt-train --status corpus
echo "exit status $?"
# A validation counts at once, before a report comes.
quick_train -q -o validated --max-updates 5 --valid-every 5 --report-every 1000 --dev corpus/dev.en corpus/dev.ja --log valid.log 2>/dev/null
shown=$(tt-train --status validated)
[[ $shown == *"dev BLEU $(printf %.2f "$(sed -n 's/.*"bleu":\([0-9.]*\).*/\1/p' valid.log)")  ended (max-updates)" ]] && echo 'the last validation'
# The folder of another file system may have the number of one that is locked.
if unshare -m true 2>/dev/null; then
  unshare -m bash -c '
    for d in one other; do mkdir $d && mount -t tmpfs none $d && mkdir $d/run; done
    cp validated/state.tt other/run
    [ $(stat -c %i one/run) = $(stat -c %i other/run) ] || echo "the numbers differ"
    $0 -o one/run & run=$!
    until [ -e one/run/state.tt ]; do sleep 0.02; done
    for d in one other; do tt-train --status $d/run; done | sed "s/: .* /: /"
    kill $run; wait $run' "$(echo ${run% -o run} --max-updates 100000)" 2>/dev/null
else
  printf 'one/run: running\nother/run: stopped\n'
fi
# Threads beyond the shards have nothing to do, which is said.
tt-train $quick --train corpus/train.en corpus/train.ja --subword subword.model --threads 3 --shards 2 --max-updates 1 -o idle 2>&1 | grep idle
