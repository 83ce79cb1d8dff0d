# Lists and tables: each number with its place, and what is wrong with a command or a trace.
cp "$TT_ROOT/tests/fuzz/seeds/trace/1.jsonl" t.jsonl
cp "$TT_ROOT/tests/fuzz/seeds/trace/2.jsonl" long.jsonl
try() { tt-trace "$@"; echo "exit status $?"; }
try t.jsonl
try --tsv encoder.input t.jsonl
try --tsv '*.scores' <t.jsonl
try --tsv encoder.input long.jsonl
try long.jsonl
try --tsv decoder.9.out t.jsonl
try --line 7 t.jsonl
try --line 1 t.jsonl | wc -l
try -o t.jsonl t.jsonl
try -o x.html --tsv y t.jsonl
try none.jsonl
: >empty; try empty
head -n 3 t.jsonl >cut; try -o cut.html cut; ls cut.html
head -c 700 t.jsonl >half; try half
sed 's/"trace":1/"trace":9/' t.jsonl | try -
echo '{"line":1,"source":["a"],"attention":[]}' | try
echo 'a line of text' | try
try - t.jsonl - <t.jsonl
