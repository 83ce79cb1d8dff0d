# Sentences in capitals and titles are read in small letters, and their translations have their case.
. "$TT_ROOT/tests/cli/train.bash"
# English to English, which has capitals.
prepare
copying_run
mv run/update-0000200.tt model.tt
t() { tt-translate -q -m model.tt --extra-length 5 "$@"; }
c() { t --case "$@"; }
printf '%s\n' 'THE DOG EATS.' 'The dog eats.' 'The Big Dog Sees the Cat' 'TOM' '' '5' >in
c in >out; echo "exit status $?"
wc -l <out | named "lines"
cmp <(sed -n 1p out) <(t <<<'The dog eats.' | tr '[:lower:]' '[:upper:]') && echo "capitals"
cmp <(sed -n '2p;5p;6p' out) <(sed -n '2p;5p;6p' in | t) && echo "other lines are as without"
cmp <(sed -n 3p out | tr '[:upper:]' '[:lower:]') <(t <<<'The big dog sees the cat' | tr '[:upper:]' '[:lower:]') && echo "a title"
for i in 1 2 3 4 5 6; do cat in; done >many
c many --threads 1 >one; c many --threads 2 --batch-tokens 1 | cmp - one && echo "batches and threads change nothing"
# Sentences of their own case; what is kept; lists, JSON, columns and markup.
c --sentences en <<<'THE DOG EATS. The dog eats.' | cmp - <(t <<<'The dog eats.' | sed 's/.*/\U&\E &/') && echo "each sentence its own"
c --keep placeholders <<<'THE DOG {name} EATS.' | grep -c '{name}' | named "lines with the placeholder"
c --n-best 2 <<<'THE DOG EATS.' | cut -d '|' -f 4 | grep -c '[a-z]' | named "entries of a list with small letters"
echo '{"text": "THE DOG EATS."}' | c --json | grep -o '"translation":"[^"]*"' | cmp - <(sed -n '1s/.*/"translation":"&"/p' out) && echo "in JSON"
c --format json <<<'THE DOG EATS.' | grep -c '"text":"THE DOG EATS."' | named "replies with the text as given"
printf '1\tTHE DOG EATS.\n' | c --column 2 | cut -f 2 | cmp - <(sed -n 1p out) && echo "in a column"
c --markup html <<<'<p>THE <b>DOG</b> EATS.</p>' 2>/dev/null | tr -d '/<>pb' | cmp - <(sed -n 1p out | tr -d '/<>pb') && echo "with markup"
c --max-length 3 <<<'The Big Dog Sees the Cat' 2>&1 >/dev/null | cut -d : -f 2-
try c --score in in
# An answer comes at once, line by line.
coproc tt { c 2>/dev/null; }
for line in 'THE DOG EATS.' 'The dog eats.'; do
  echo "$line" >&"${tt[1]}"; read -r -t 20 answer <&"${tt[0]}"; grep -c '[a-z]' <<<"$answer" | named "answers with small letters"
done
