# The score that a translation can be expected to have: fitted, applied, and what is put aside.
. "$TT_ROOT/tests/cli/refused.bash"
# Scores follow from the features but for some noise.
awk 'BEGIN { srand(3); for (i = 1; i <= 120; ++i) {
  a = rand(); b = rand(); s = 40 + 30 * a - 20 * b + 2 * rand()
  printf "{\"text\": \"line %d\", \"translation\": \"Zeile %d\", \"mean\": %.4f, \"ratio\": %.4f, \"same\": 1, \"model\": 77, \"person\": %.3f}\n", i, i, a, b, s } }' >dev.json
tt-quality fit --score person -o quality dev.json 2>&1 | sed 's/[0-9.]*[0-9]/N/g'; echo "exit status ${PIPESTATUS[0]}"
sed 's/= .*/=/' quality | tail -n +2
echo "Applied"
head -n 4 dev.json | sed 's/"mean": [0-9.]*/"mean": 0.9/; s/"ratio": [0-9.]*/"ratio": 0.1/; 2s/0[.]9/0/; 4s/"mean"/"m"/' >new.json
tt-quality apply --weights quality <new.json >out 2>err; echo "exit status $?"
sed 's/"expected":\([0-9]*\)[0-9.]*/"expected":\1/; s/"person": [0-9.]*/"person": 0/' out; grep -v expected err; grep -c 'expected score' err | named "reports of the mean"
echo "Put aside"
tt-quality apply --weights quality --least 50 --rest rest new.json >out 2>err; echo "exit status $?"
cut -f 1,3- rest; wc -l <out | named lines; grep -c '"translation":""' out | named "empty ones"; grep -c 'went to rest' err | named reports
echo "By references"
sed 's/"person": [0-9.]*/"x": 1/' dev.json >by-reference.json
awk '{ print (/"mean": 0[.][4-9]/ ? "Zeile " NR : "etwas") }' dev.json >references
tt-quality fit -q --references references --metric chrf --features mean,ratio by-reference.json | cut -d , -f 1 | head -n 1
printf '%s\n' '[{"translation": "a", "p": 1}]' '{"error": "x"}' '{"n_best": ["x"]}' | tt-quality apply --weights quality >out 2>&1; echo "exit status $?"
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
