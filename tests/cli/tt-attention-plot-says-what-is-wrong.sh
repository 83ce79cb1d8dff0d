# Mistakes: what was wrong and what to do, with file and line.
. "$TT_ROOT/tests/cli/attention.bash"
records >a.jsonl
try() { tt-attention-plot "$@"; echo "exit status $?"; }
try a.jsonl --tsv --sentence 2
try a.jsonl --tsv --layer 2
try a.jsonl --tsv --kind encoder
: >empty; try empty --tsv
(records; echo '{"line":5}') >lacking; try lacking --tsv --sentence 9
(sed -n 1p a.jsonl | sed 's/\[0,0,1\]/[0,1]/') >size; try size --tsv
echo '{"line":1,"source":[],"target":[],"attention":[]}' >nothing; try nothing --tsv; try nothing --tsv --sentence 1
(cat nothing; sed -n 3p a.jsonl) | tt-attention-plot --tsv --kind decoder --mean | tail -n 1  # the first that has any
try missing --tsv
try a.jsonl
try a.jsonl -o a.gif
try a.jsonl --tsv --kind all
# Lines that are no record. The third is cut off where tt-translate was stopped.
head='"line":1,"source":["a"],"target":["x"]' cross='"kind":"cross","layer":1,"head":1'
while IFS= read -r line; do echo "$line" >line; try line --tsv; done <<END

plain text
{${head:0:30}
{"line":1,"source":["a
[1,2]
{"line":1e999}
{"line":0}
{"line":1,"source":"a"}
{"line":1,"source":[null]}
{$head,"attention":[7]}
{$head,"attention":[{"kind":"self"}]}
{$head,"attention":[{"kind":"cross","layer":0}]}
{$head,"attention":[{"kind":"cross","layer":1,"head":1e30}]}
{$head,"attention":[{$cross,"weights":{}}]}
{$head,"attention":[{$cross,"weights":[]}]}
{$head,"attention":[{$cross,"weights":[1]}]}
{$head,"attention":[{$cross,"weights":[["1"]]}]}
{$head,"attention":[{$cross,"weights":[[1.5]]}]}
END
# A model whose training diverged has weights that are no numbers.
echo "{$head,\"attention\":[{$cross,\"weights\":[[null]]}]}" >diverged; try diverged --tsv; try diverged --terminal ascii
printf '{"line":1,"source":["\xff"]}' | tt-attention-plot --tsv 2>&1 | cut -c 1-55
ls
