# Sentences of a line are translated by themselves; what has nothing to translate passes; and what is translated as one is said.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 30
mv run/update-0000030.tt model.tt
t() { tt-translate -q -m model.tt --extra-length 5 "$@"; }
s() { t --sentences en "$@"; }
one='The dog eats.' two='A cat sleeps.' three='The big dog and the cat'
printf '%s\n' "$one" "$two" "$three" | t >each
{ echo "$one $two  $three"; echo; echo "$two"; } >in
s <in >out; echo "exit status $?"
mapfile -t e <each
{ echo "${e[0]} ${e[1]}  ${e[2]}"; echo; echo "${e[1]}"; } | cmp - out && echo "as each by itself"
t <in 2>&1 >together; echo "exit status $?"
cmp -s out together || echo "translated as one, it is another"
for i in 1 2 3 4 5 6 7 8; do cat in; done >many
s many --threads 1 >one.out; s many --threads 2 --batch-tokens 1 | cmp - one.out && echo "batches and threads change nothing"
s --sample --seed 3 in >drawn; s --sample --seed 3 --threads 2 --batch-tokens 1 in | cmp - drawn && echo "nor for samples"
s --n-best 2 in >list; cut -d ' ' -f 1 list | tr '\n' ' '; echo
sed -n 1p list | awk -F ' \\|\\|\\| ' '{ print $2 }' | cmp - <(head -n 1 out) && echo "the first of a list is the translation"
printf '%s\n' "$one" "$two" "$three" | t --alignment soft | cut -f 2 | awk '{ n += NF } END { print n }' >n
head -n 1 in | s --alignment soft | cut -f 2 | awk '{ print NF }' | cmp - n && echo "weights for each word"
head -n 1 in | s --attention weights >/dev/null; grep -o '^{"line":[0-9]*' weights
text() { grep -o '"translation":"[^"]*"'; }
echo "{\"text\": \"\\n$one\\n\\n$three\\n12\\n\"}" | t --json >json; echo "exit status $?"
text <json | cmp - <(echo "\"translation\":\"\\n${e[0]}\\n\\n${e[2]}\\n12\\n\"") && echo "line breaks stay"
# Nothing to translate.
printf '%s\n' - ... '12,5 %' https://example.org/a a.b@c.de '☺' ' — ' >none
t none >out; echo "exit status $?"; cmp none out
t --n-best 2 --confidence --alignment hard <<<'- 5'
t --pass-through off <<<'-' >out 2>/dev/null; cmp -s - out <<<'-' || echo "translated"
s --alignment hard <<<"$one 12!" | cut -f 1 | grep -c ' 12!$'
for wrong in '' english; do t --sentences "$wrong" in 2>&1; done
t --sentences en --score in in 2>&1 | head -n 1
# An answer comes at once, line by line.
for options in '--sentences en' '--pass-through on' '--alignment soft' '--sentences en --json --alignment hard'; do
  coproc tt { t $options 2>/dev/null; }
  for line in '{"text": "12"}' '{"text": "The dog eats."}'; do
    echo "$line" >&"${tt[1]}"
    read -r -t 20 answer <&"${tt[0]}" && echo "$options: answered"
  done
  exec {tt[1]}>&-
  wait
done
