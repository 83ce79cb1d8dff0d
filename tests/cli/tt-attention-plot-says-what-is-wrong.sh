# Mistakes: what was wrong and what to do, with file and line.
. "$TT_ROOT/tests/cli/attention.bash"
records >a.jsonl
try() { tt-attention-plot "$@"; echo "exit status $?"; }
try a.jsonl --tsv --sentence 2
try a.jsonl --tsv --layer 2
try a.jsonl --tsv --kind encoder
: >empty; try empty --tsv
(records; echo '{"line":5}') >cut; try cut --tsv --sentence 9 2>&1 | cut -c 1-75
(sed -n 1p a.jsonl | sed 's/\[0,0,1\]/[0,1]/') >size; try size --tsv
echo '{"line":1,"source":[],"target":[],"attention":[]}' >nothing; try nothing --tsv; try nothing --tsv --sentence 1
(cat nothing; sed -n 3p a.jsonl) | tt-attention-plot --tsv --kind decoder --mean | tail -n 1  # the first that has any
try missing --tsv
try a.jsonl
try a.jsonl -o a.gif
try a.jsonl --tsv --kind all
ls
