# Loss, BLEU, rate and speed of one run in a terminal of 80 columns, of several in one picture, over any axis.
. "$TT_ROOT/tests/cli/log.bash"
export COLUMNS=80
(echo '{"event":"start"}'; run 100 5000; echo '{"event":"end"}') >a.jsonl
(run 100 3000; printf '{"event":"train","upda') >b.jsonl
tt-log-plot a.jsonl --terminal ascii
tt-log-plot a.jsonl b.jsonl --terminal ascii --show bleu --x tokens
tt-log-plot - --terminal ascii --show loss --x wall <a.jsonl | tail -n 3
tt-log-plot a.jsonl b.jsonl -o all.svg && tt-log-plot a.jsonl -o a.png && tt-log-plot b.jsonl -o b.pdf --x epoch && ls
# Runs with names, logarithmic axes, a title; a file whose own name has a = is a file.
mkdir -p runs/big runs/small && cp a.jsonl runs/big/log.jsonl && cp b.jsonl runs/small/log.jsonl && cp a.jsonl lr=1
tt-log-plot runs/*/log.jsonl --terminal ascii --show bleu | tail -n 1
tt-log-plot 'eight heads=a.jsonl' two=- lr=1 --terminal ascii --show loss --log-x --log-y --title 'Heads' <b.jsonl
tt-log-plot a.jsonl --show bleu --tsv | head -n 3
