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

# A log that becomes a pipe, which would be waited for.
run 100 300 >e.jsonl
timeout 60 tt-log-plot --follow --interval 0.05 -o e.png e.jsonl 2>err & until [ -e e.png ]; do sleep 0.05; done
rm e.jsonl; mkfifo e.jsonl
wait $!
echo "a pipe: $?"; cat err; rm e.jsonl
run 100 300 >e.jsonl

# In a small window: no more lines than it has room for, each cleared before it is drawn; the last says that there are more.
export TERM=xterm
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  (run 100 3000; echo '{"event":"end"}') >d.jsonl
  script -qec "stty rows 20 cols 60; tt-log-plot -f --terminal ascii d.jsonl" /dev/null </dev/null >window
  echo "$(grep -c $'^\\(\e\\[H\\)\\?\e\\[K.*[^ ].*\r$' window) of $(grep -c ' ' window) lines"
  sed -n 's/.*(\(.* more lines: .*\)).*/\1/p' window
  # Another size of the window is another picture; a dumb terminal gets no escape sequences.
  script -qec 'stty rows 40 cols 60
    tt-log-plot -f --interval 600 --terminal ascii e.jsonl &
    grown() { for i in $(seq 300); do [ $(wc -c <window) -gt $1 ] && break; sleep 0.1; done; sleep 0.3; }
    grown 0; size=$(wc -c <window); stty cols 90; grown $size; kill -TERM $!; wait' /dev/null </dev/null >window
  grep -o $'\e\\[H' window | wc -l
  TERM=dumb script -qec "tt-log-plot -f d.jsonl" /dev/null </dev/null >window
  grep -c $'\e' window || true
else
  printf '%s\n' "19 of 19 lines" "19 more lines: enlarge the window, or show fewer panels" 2 0  # no pseudo-terminals here
fi
