# The score that a translation can be expected to have: fitted, applied, and what is put aside.
. "$TT_ROOT/tests/cli/refused.bash"
# Scores follow from the features but for some noise.
awk 'BEGIN { srand(3); for (i = 1; i <= 120; ++i) {
  a = rand(); b = rand(); s = 40 + 30 * a - 20 * b + 2 * rand()
  printf "{\"text\": \"line %d\", \"translation\": \"Zeile %d\", \"mean\": %.4f, \"ratio\": %.4f, ", i, i, a, b
  printf "\"same\": 1, \"model\": 77, \"person\": %.3f}\n", s } }' >dev.json
tt-quality fit --score person -o quality dev.json 2>&1 | sed 's/[0-9.]*[0-9]/N/g'; echo "exit status ${PIPESTATUS[0]}"
sed 's/= .*/=/' quality | tail -n +2
echo "Applied"
head -n 4 dev.json | sed 's/"mean": [0-9.]*/"mean": 0.9/; s/"ratio": [0-9.]*/"ratio": 0.1/; 2s/0[.]9/0/; 4s/"mean"/"m"/' >new.json
tt-quality apply --weights quality <new.json >out 2>err; echo "exit status $?"
sed 's/"expected":\([0-9]*\)[0-9.]*/"expected":\1/; s/"person": [0-9.]*/"person": 0/' out
grep -v expected err; grep -c 'expected score' err | named "reports of the mean"
echo "Put aside"
tt-quality apply --weights quality --least 50 --rest rest new.json >out 2>err; echo "exit status $?"
cut -f 1,3- rest; wc -l <out | named lines; grep -c '"translation":""' out | named "empty ones"; grep -c 'went to rest' err | named reports
echo "By references"
sed 's/"person": [0-9.]*/"x": 1/' dev.json >by-reference.json
awk '{ print (/"mean": 0[.][4-9]/ ? "Zeile " NR : "etwas") }' dev.json >references
tt-quality fit -q --references references --metric chrf --features mean,ratio by-reference.json | cut -d , -f 1 | head -n 1
printf '%s\n' '[{"translation": "a", "p": 1}]' '{"error": "x"}' '{"n_best": ["x"]}' | tt-quality apply --weights quality >out 2>&1; echo "exit status $?"
echo "Words"
# Those of which the model is not sure are wrong, but for one in ten; x is their share in the line.
awk 'BEGIN { srand(4); for (i = 1; i <= 60; ++i) { t = r = w = ""; x = 0
  for (k = 0; k < 3 + i % 4; ++k) { bad = rand() < 0.4; other = rand() < 0.1 ? !bad : bad; x += bad / (3 + i % 4)
    t = t " w" k; r = r (bad ? " x" : " w") k
    w = w (k ? "," : "") sprintf("{\"word\":\"w%d\",\"mean\":%.3f,\"even\":%d,\"good\":%d}", k, other ? -1 - rand() : -rand(), k % 2, !bad) }
  printf "{\"translation\":\"%s\",\"model\":7,\"words\":[%s],\"x\":%.3f}\n", substr(t, 2), w, x; print substr(r, 2) >"kept" } }' >words.json
tt-quality fit --words --references kept --features mean,even -o doubt words.json 2>&1 | sed 's/[0-9.]*[0-9]/N/g'; echo "exit status ${PIPESTATUS[0]}"
sed 's/= .*/=/' doubt | tail -n +2
tt-quality fit -q --words --score good --features mean,even -o by-score words.json; cmp doubt by-score
printf '{"translation":"a b\\tc","model":7,"words":[%s]%s}\n' '{"mean":-0.1,"even":0},{"mean":-1.5,"even":0},{"mean":0,"even":1}' ',"tags":"x"' '{"mean":-1,"even":0}' '' '{"mean":-2,"even":1},{"even":0},{"mean":0,"even":1}' '' >some.json
echo '{"translation":"a b","model":7}' >>some.json
tt-quality apply --weights doubt some.json 2>err | sed 's/"kept":[-0-9.]*/"kept":N/g'; echo "exit status ${PIPESTATUS[0]}"; sed 's/[0-9.]* %/N %/g' err
tt-quality apply -q --weights doubt --mark some.json 2>&1
tt-quality fit -q --words --score good words.json | sed 's/= .*//' | grep -c '^line[.]x\|good' | named "features that are of lines, or a score"
echo "Refused"
yes etwas | head -n 120 | sed '1~2s/.*/Zeile/' >chance; refused tt-quality fit --references chance --features mean by-reference.json
head -n 10 dev.json >ten.json; refused tt-quality fit --score person ten.json
sed 's/"person": [0-9.]*/"person": 5/' dev.json >flat.json; refused tt-quality fit --score person flat.json
refused tt-quality fit --score person --features same dev.json
refused tt-quality fit --score nobody dev.json
head -n 7 references >short; refused tt-quality fit --references short dev.json
sed '9s/77/78/' dev.json >other.json; refused tt-quality fit --score person other.json
sed 's/77/78/' new.json >of-another.json; refused tt-quality apply --weights quality of-another.json
printf 'mean= 1\n' >plain; refused tt-quality apply --weights plain new.json
refused tt-quality apply --weights none new.json
refused tt-quality fit dev.json
refused tt-quality fit --score person --references references dev.json
refused tt-quality apply --weights quality --least 3 new.json
refused tt-quality apply --weights quality --least 3 --rest new.json new.json
refused tt-quality apply --weights quality --least 3 --rest same -o same new.json
refused tt-quality apply --weights - < /dev/null
refused tt-quality apply --weights doubt --least 3 --rest rest some.json
refused tt-quality apply --weights quality --mark new.json
refused tt-quality fit --words --references kept new.json
