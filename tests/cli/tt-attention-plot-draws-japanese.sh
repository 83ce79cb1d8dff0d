# Pieces of any script on the axes: in the terminal, where they are two columns wide, and in a file.
. "$TT_ROOT/tests/cli/attention.bash"
records >a.jsonl
export COLUMNS=80
tt-attention-plot a.jsonl --sentence 3 --terminal ascii
tt-attention-plot a.jsonl --terminal ascii
tt-attention-plot a.jsonl --sentence 3 -o a.png && tt-attention-plot a.jsonl -o a.svg && tt-attention-plot a.jsonl --mean -o a.pdf && ls a.*
