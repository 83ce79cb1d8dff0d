# A sample is a function of seed, line and its own number.
. "$TT_ROOT/tests/cli/train.bash"
prepare
quick_train -q --forbid-unknown -o run --max-updates 30
mv run/update-0000030.tt model.tt
head -n 12 corpus/test.en >in
t() { tt-translate -q -m model.tt --extra-length 5 --sample "$@"; }
t --n-best 3 <in >three
wc -l <three | named "lines"
t --n-best 3 --threads 2 --batch-tokens 1 <in | cmp - three && echo same
t --n-best 5 <in | awk 'NR % 5 >= 1 && NR % 5 <= 3' | cmp - three && echo "more samples leave the first as they are"
t <in | cmp - <(awk -F ' \\|\\|\\| ' 'NR % 3 == 1 { print $2 }' three) && echo "one is the first"
t --n-best 3 --seed 2 <in | cmp -s - three || echo "another seed"
t --n-best 3 --seed 1 <in | cmp - three && echo "seed 1"
tt-translate -q -m model.tt --extra-length 5 --beam 1 <in >greedy
t --top-k 1 <in | cmp - greedy && echo "the likeliest piece is greedy search"
t --top-p 0.001 <in | cmp - greedy && echo "so is the smallest nucleus"
t -m model.tt --n-best 3 <in | diff - three >/dev/null && echo "an ensemble of one kind"
t --temperature 0.01 <in | diff - greedy | grep -c "^<" | awk '{ print "so is what is cold, almost", ($1 <= 4) }'
t --temperature 1 <in | cmp - <(t <in) && echo "1 is the model's own"
# The mean log-probability of a piece.
likelihood() { t --n-best 3 --temperature $1 <in | awk -F ' [|][|][|] ' '{ split($3, f, " "); sum += f[2] / f[4] } END { print sum / NR }'; }
for heat in 0.7 1 3; do likelihood $heat; done >likely
sort -gr likely | cmp - likely && echo "what is hotter is less likely"
# A blank line has as many as the others; the lines of a part are numbered by what stands before it.
{ head -n 2 in; echo; echo ' '; sed -n 3p in; } >blanks
t --n-best 4 <blanks >rows; wc -l <rows | named "lines"; sed -n '9,16s/|||.*//p' rows | uniq -c | sed 's/^ *\([0-9]*\) \([0-9]*\).*/\1 of line \2/'
tt-translate -q -m model.tt --n-best 2 <blanks | wc -l | named "lines of lists"
t --n-best 2 --format json <blanks | sed -n 3p
yes "$(head -n 1 in)" | head -n 8 >equal
t --n-best 2 <equal >whole
for first in 1 3 5 7; do sed -n "$first,$((first + 1))p" equal | t --n-best 2 --first-line $first; done | cmp - whole && echo "parts are the whole"
t <equal | sort -u | wc -l | awk '{ print ($1 > 4) }' | named "are they several"
# Probabilities are those at the temperature: what is likely enough at 1 is not all that is at 3.
variety() { t --n-best 100 --temperature $1 "${@:2}" <<<'the dog' | awk -F ' [|][|][|] ' '{ print substr($2, 1, 1) }' | sort -u | wc -l; }
[ $(variety 5 --top-p 0.9) -gt $(variety 1 --top-p 0.9) ] && [ $(variety 5 --epsilon 0.001) -gt $(variety 1 --epsilon 0.1) ] && echo "temperature comes first"
[ $(variety 5 --epsilon 1) = 1 ] && echo "the likeliest is left"
