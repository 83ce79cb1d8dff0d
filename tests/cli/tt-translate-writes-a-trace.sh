# A trace has all that a sentence was to the model, and each step of the search; the translation is what it is without.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 150
cp run/update-0000150.tt model.tt
t() { tt-translate -q -m model.tt "$@"; }
head -n 2 corpus/test.en >in.en
t in.en >plain
t --trace t.jsonl in.en | cmp - plain && echo "the same translation"
t --trace - in.en | cmp - t.jsonl && echo "instead of the translation: the same trace"
t --trace - -o out.ja in.en | cmp - t.jsonl && cmp out.ja plain && echo "beside it: the same trace"
tt-translate -m model.tt --threads 4 -q --trace four.jsonl in.en >out && cmp four.jsonl t.jsonl && echo "with four threads: the same trace"
grep -c '"trace":1' t.jsonl | named "traces"
head -n 1 t.jsonl | grep -o '"[a-z_]*":' | head -n 9 | paste -sd ' '
awk '/"trace"/ { ++line } line == 1' t.jsonl | grep -o '"matrix":"[^"]*","blocks":[0-9]*'
# The text that the last step that ends has made is the translation; its sum is that of the pieces' log-probabilities.
head -n 1 t.jsonl | sed 's/.*"log_probabilities":\[\([^]]*\)\].*/\1/' | tr , '\n' | awk '{ sum += $1 } END { printf "%.3f\n", sum }' >sum
awk '/"trace"/ { ++line } line == 1' t.jsonl | grep -o '"sum":[^,]*,"fate":"ends"' | sed 's/[^-]*\([-0-9.]*\).*/\1/' | awk '{ printf "%.3f\n", $1 }' |
  grep -cxFf sum | named "steps whose sum is that of the translation"
# A translation that is given has no search; blank lines and numbers have nothing to trace; some pieces are not in the vocabulary.
t --score plain --trace given.jsonl in.en >scores; grep -c '"beam"' given.jsonl | named "steps of search for a given translation"
t --trace odd.jsonl --pass-through off <<<$'\nthe dog\n☃ Ж' >out; echo "exit status $?"; grep -o '"line":[0-9]*' odd.jsonl
t --sentences en --trace two.jsonl --first-line 8 <<<$'The dog ran. The dog ran.\n12' >out; echo "exit status $?"; grep -o '"line":[0-9]*' two.jsonl
# Sentences that are too long are summarised, or in parts; those that are too many are left out. Each is reported.
{ yes 'the dog' | head -n 100 | paste -sd ' '; echo dog; } | t --trace long.jsonl 2>err >out; echo "exit status $?"; sed 's/of [0-9]* pieces/of N pieces/' err
head -n 1 long.jsonl | grep -o '"summarised":[a-z]*'
sed -n '/"matrix":"encoder.1.self.q"/ { s/[0-9.e-]*,"largest.*//; s/.*"columns/"columns/; s/[-0-9.e]\{5,\}/N/g; p; q }' long.jsonl
yes 'the dog' | head -n 100 | paste -sd ' ' | t --max-length 50 --trace parts.jsonl >out; echo "exit status $?"; wc -c <parts.jsonl | named "bytes of the trace"
yes 'the dog' | head -n 20 | t --trace many.jsonl >out; echo "exit status $?"; grep -c '"trace"' many.jsonl | named "traces"; wc -l <out | named "lines"
# Options that contradict each other.
try t -m model.tt --trace x in.en
try t --trace in.en in.en
try t --trace both --attention both in.en
try t --trace - --attention - in.en
try t --trace plain --compare-precision plain in.en
[ ! -c /dev/full ] || { t --trace /dev/full in.en >out; echo "exit status $?"; }
