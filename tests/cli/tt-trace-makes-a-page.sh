# A page is one file that loads nothing, in which text stays text, with the lines of the sources as they are.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 20
tt-train -q --type lstm --preset tiny --encoder-layers 1 --decoder-layers 1 --d-model 32 --tokens 400 --valid-every 0 --save-every 5 --attention general \
  --max-updates 20 \
  --train corpus/train.en corpus/train.ja --subword subword.model -o lstm
t() { tt-translate -q -m "$@"; }
model=run/update-0000020.tt
echo '</script><script>alert("1")</script> & "quotes" <!-- {{data}} \u003c' >evil
t $model --trace evil.jsonl --extra-length 3 evil >out 2>err
tt-trace -o evil.html evil.jsonl && grep -o '</\?script[^>]*>' evil.html | sort | uniq -c | sed 's/^ *//'
grep -c 'alert("1")' evil.html
head -n 1 corpus/test.en | t $model --trace t.jsonl >out
tt-trace -o page.html t.jsonl && [ "$(wc -c <page.html)" -le 2000000 ] && echo "at most 2 MB"
# So has that of a long sentence, whose maps are folded, with the numbers of the rows that stay; a longer one has summaries.
tt-train -q --preset tiny --encoder-layers 2 --decoder-layers 2 --d-model 64 --tokens 400 --valid-every 0 --save-every 5 --max-updates 5 \
  --train corpus/train.en corpus/train.ja --subword subword.model -o long
for pieces in 89 300 400; do
  yes the | head -n $((pieces - 2)) | paste -sd ' ' | t long/update-0000005.tt --extra-length 0 --trace long.jsonl >out 2>err
  tt-trace -o long.html long.jsonl && [ "$(wc -c <long.html)" -le 2000000 ] &&
    echo "$(head -n 1 long.jsonl | grep -o '"summarised":[a-z]*'): at most 2 MB, folded: $(grep -o '"kept":' long.html | wc -l | sed 's/^[1-9].*/yes/')"
done
tt-trace <t.jsonl -o - | cmp - page.html && echo "stdin and stdout: the same"
# Nothing is loaded: the only addresses are names of kinds of elements.
grep -oE '(https?:)?//[a-z0-9.]+\.[a-z]+/[^"'"'"' ]*' page.html | sort -u
grep -cE '<(link|img|iframe|script src)|@import|url\([^#]|fetch\(|XMLHttpRequest' page.html
# The functions that it shows stand where it says.
grep -oE '"file":"[^"]*","line":[0-9]+,"text":\["[^"]*"' page.html | sed -E 's/"file":"([^"]*)","line":([0-9]+),"text":\["([^"]*)"/\1\t\2\t\3/' >code
[ "$(wc -l <code)" = "$(wc -l <"$TT_ROOT/lib/trace/page/code.txt")" ] && echo "each function of code.txt"
while IFS=$'\t' read -r file line text; do [ "$(sed -n "${line}p" "$TT_ROOT/$file")" = "$text" ] || echo "$file:$line is not $text"; done <code
# The words of both languages have the same keys.
cd "$TT_ROOT/lib/trace/page" && diff <(grep -oE '^\S+: ' words.en.txt) <(grep -oE '^\S+: ' words.ja.txt) && cd - >/dev/null
# Two files, an LSTM, several sentences.
{ head -n 1 corpus/test.en; echo dog; } | t lstm/update-0000020.tt --trace lstm.jsonl --extra-length 3 >out
tt-trace -o two.html t.jsonl lstm.jsonl && grep -o '"second":[0-9]*' two.html
tt-trace -o one.html lstm.jsonl --line 2 && grep -o '"line":2,"model"' one.html
# A folder: a page for each sentence, and an index.
tt-trace -o pages/ lstm.jsonl && ls pages && grep -o '"index":\[{"file":"1.html"' pages/index.html; grep -c '"up":true' pages/2.html
tt-trace -o one.html lstm.jsonl --line 2 && grep -o '"traces":\[{"line":2' pages/2.html
echo mine >pages/keep; tt-trace -o pages t.jsonl && ls pages | paste -sd ' '
: >file; tt-trace -o file/ t.jsonl 2>err; echo "exit status $?"; cat err
# One update of training, followed; another optimiser is not.
quick_train -q -o followed --max-updates 12 --trace 12 && ls followed | grep trace && tt-trace -o followed.html followed/trace-12.jsonl
grep -o '"update":{"update":12,"tokens":[0-9]*,"parameter":"[^"]*"' followed.html | sed 's/"tokens":[0-9]*/"tokens":N/'
tt-trace followed/trace-12.jsonl | cut -f 2-5 | grep gradient
tt-train -q --resume followed --max-updates 14 --trace 3 2>err; echo "exit status $?"; cat err
quick_train -q -o other --max-updates 3 --optimizer nadam --trace 2 2>err; echo "exit status $?"; cat err
