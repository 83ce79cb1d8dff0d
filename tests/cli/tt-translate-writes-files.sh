# -o is what the standard output would be, and never one of the files that are read; what was there stays until there is something else.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 2
cp run/update-0000002.tt model.tt
head -n 5 corpus/dev.en >in.en
cp in.en copy.en
t() { tt-translate -q -m model.tt --extra-length 3 "$@"; }
t in.en >out.ja
t -o file.ja in.en && cmp out.ja file.ja && echo "a file: the same"
t -o - in.en | cmp out.ja - && echo "-: the same"
t --output /dev/stdout <in.en | cmp out.ja - && echo "/dev/stdout: the same"
t --attention - in.en >attention.jsonl
t -o both.ja --attention - in.en | cmp attention.jsonl - && cmp out.ja both.ja && echo "attention beside it: the same"
t --compare-precision out.ja -o compared in.en && grep -c BLEU compared | named "lines with BLEU"

for files in in.en model.tt out.ja; do try t -o $files --prefix out.ja in.en; done
try t -o in.en <in.en
try t --attention in.en <in.en
try t -o new --attention new in.en
ln -s new link; try t -o link --attention new in.en; rm link
t -o - in.en >>in.en; echo "exit status $?"
t -o z --attention - in.en >z; echo "exit status $?"
t --attention z in.en >z; echo "exit status $?"
t -o /dev/stdout --attention - in.en | wc -c | named "bytes of both in one"
t -o /dev/null --attention /dev/null in.en && echo "devices may be the same"
mkfifo pipe
try t -o pipe --attention pipe in.en
try t -o pipe pipe
ln file.ja other.ja
try t -o file.ja --attention other.ja in.en
cmp in.en copy.en && cmp out.ja file.ja && echo "nothing was lost"
try tt-translate -q -m none.tt -o file.ja in.en
try t -o file.ja none.en
try t -o nowhere/file.ja in.en
cmp out.ja file.ja && ls new nowhere 2>/dev/null
: >nothing
t -o file.ja nothing && wc -c <file.ja | named "bytes of no lines"
gzip -c in.en >whole.gz
head -c -6 whole.gz >in.gz
try t -o file.ja in.gz
cmp out.ja file.ja && echo "lines before the damage: all"
t --json -o file.json <<<'{"text": "the dog"}' && grep -c translation file.json | named "lines of JSON"
t --n-best 2 -o file.list in.en && wc -l <file.list | named "lines of lists"
t --score out.ja -o scores in.en && wc -l <scores | named "lines of scores"
timeout 60 cat pipe >piped & t -o pipe in.en; wait; cmp out.ja piped && echo "a named pipe: the same"
t -o closed.ja in.en >&- && cmp out.ja closed.ja && echo "without a standard output: the same"
exec 5<>pipe
cat in.en >&5
t -o killed.ja <&5 & for _ in {1..600}; do cmp -s out.ja killed.ja && break; sleep 0.1; done
kill -TERM $!; wait $!; echo "killed: exit status $?"
cmp out.ja killed.ja && echo "lines before the end: all"
[ ! -c /dev/full ] || { t -o /dev/full in.en 2>/dev/null; echo "full disk: exit status $?"; }
