# A page is one file that loads nothing, in which text stays text, with the lines of the sources as they are.
. "$TT_ROOT/tests/cli/train.bash"
prepare
quick_train -q -o run --max-updates 20
tt-train -q --type lstm --preset tiny --encoder-layers 1 --decoder-layers 1 --d-model 32 --tokens 400 --valid-every 0 --save-every 5 --attention general --max-updates 20 \
  --train corpus/train.en corpus/train.ja --subword subword.model -o lstm
t() { tt-translate -q -m "$@"; }
model=run/update-0000020.tt
echo '</script><script>alert("1")</script> & "quotes" <!-- {{data}} \u003c' >evil
t $model --trace evil.jsonl --extra-length 3 evil >out 2>err
tt-trace -o evil.html evil.jsonl && grep -o '</\?script[^>]*>' evil.html | sort | uniq -c | sed 's/^ *//'
grep -c 'alert("1")' evil.html
head -n 1 corpus/test.en | t $model --trace t.jsonl >out
tt-trace -o page.html t.jsonl && [ "$(wc -c <page.html)" -lt 1000000 ] && echo "under 1 MB"
tt-trace <t.jsonl -o - | cmp - page.html && echo "stdin and stdout: the same"
# Nothing is loaded: the only addresses are names of kinds of elements.
grep -oE '(https?:)?//[a-z0-9.]+\.[a-z]+/[^"'"'"' ]*' page.html | sort -u
grep -cE '<(link|img|iframe|script src)|@import|url\(|fetch\(|XMLHttpRequest' page.html
# The functions that it shows stand where it says.
grep -oE '"file":"[^"]*","line":[0-9]+,"text":\["[^"]*"' page.html | sed -E 's/"file":"([^"]*)","line":([0-9]+),"text":\["([^"]*)"/\1\t\2\t\3/' >code
[ "$(wc -l <code)" = "$(wc -l <"$TT_ROOT/lib/trace/page/code.txt")" ] && echo "each function of code.txt"
while IFS=$'\t' read -r file line text; do [ "$(sed -n "${line}p" "$TT_ROOT/$file")" = "$text" ] || echo "$file:$line is not $text"; done <code
# The words of both languages have the same keys.
cd "$TT_ROOT/lib/trace/page" && diff <(grep -E '^\S+:$' words.en.txt) <(grep -E '^\S+:$' words.ja.txt) && cd - >/dev/null
# Two files, an LSTM, several sentences.
{ head -n 1 corpus/test.en; echo dog; } | t lstm/update-0000020.tt --trace lstm.jsonl --extra-length 3 >out
tt-trace -o two.html t.jsonl lstm.jsonl && grep -o '"second":[0-9]*' two.html
tt-trace -o one.html lstm.jsonl --line 2 && grep -o '"line":2,"model"' one.html
