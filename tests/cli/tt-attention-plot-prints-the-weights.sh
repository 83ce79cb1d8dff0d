# --tsv: one line per weight, with the pieces; heads selected or averaged; the decoder's keys are its inputs.
. "$TT_ROOT/tests/cli/attention.bash"
records >a.jsonl
tt-attention-plot a.jsonl --tsv --head 2
tt-attention-plot a.jsonl --tsv --mean | sed -n 2,4p
records | tt-attention-plot --tsv --sentence 4 --kind decoder
