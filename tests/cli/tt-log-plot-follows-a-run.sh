# --follow: waits for the log, redraws as it grows, and ends with the run or on SIGINT, with status 0.
. "$TT_ROOT/tests/cli/log.bash"
(timeout 60 tt-log-plot --follow --interval 0.05 -o live.svg a.jsonl 2>waiting; echo "the run ended: $?") &
until grep -q waiting waiting 2>/dev/null; do sleep 0.05; done
cat waiting
run 100 1000 >>a.jsonl
until [ -e live.svg ]; do sleep 0.05; done
cp live.svg first.svg
(run 1100 3000; echo '{"event":"end"}') >>a.jsonl
wait
cmp -s first.svg live.svg || echo "drawn again"

tt-log-plot --follow --interval 600 -o other.png b.jsonl 2>waiting & run 100 200 >b.jsonl
until grep -q waiting waiting || [ -e other.png ]; do sleep 0.05; done
sleep 0.2
kill -INT $!
wait $!
echo "stopped: $?"
