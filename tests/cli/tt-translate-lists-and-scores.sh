# Lists, scores, prefixes, rules and several models; what one option says of a translation the others confirm.
. "$TT_ROOT/tests/cli/train.bash"
prepare
quick_train -q -o run --max-updates 60 --save-every 20
cp run/update-0000060.tt model.tt
cp run/update-0000020.tt other.tt
{ head -n 9 corpus/test.en; echo; printf 'no end'; } >in
t() { tt-translate -q -m model.tt --extra-length 5 "$@"; }
t --beam 3 <in >plain
t --n-best 3 <in >list
wc -l <list | named "lines"
awk -F ' \\|\\|\\| ' 'NR == 1 || $1 != last { print $2; last = $1 }' list | cmp - plain && echo "the first of each list is the translation"
awk -F ' \\|\\|\\| ' '$1 == last && $4 > score { print "not sorted: " $0 } { last = $1; score = $4 }' list
sed -n '/^9 /p' list
t --n-best 3 --threads 2 --batch-tokens 1 <in | cmp - list && echo "batches and threads change nothing"
# A prefix is searched step by step, and a given translation read at once: their tokens have the same log-probabilities, to rounding.
head -n 11 corpus/test.ja >given
numbers() { grep -o '"token_scores":\[[^]]*' | sed 's/.*\[//'; }
t --prefix given --format json --token-scores <in | numbers >steps
t --score given --format json --token-scores <in | numbers >whole
paste steps whole | awk -F '\t' '{
  m = split($1, a, ","); n = split($2, b, ",")
  for (i = 1; i < n && m > 1; i++) { tokens++; d = a[i] - b[i]; if (d > 0.001 || d < -0.001) print "token " i " of line " NR ": " a[i] " and " b[i] }
} END { print (tokens > 100 ? "scored alike" : "only " tokens " tokens") }'
t --score plain --length-penalty length --alpha 1 <in | awk '$1 > 0 { print "positive" }' | sort -u
t --score <(head -n 3 plain) <in >out 2>err
echo "exit status $?"; sed 's/^tt-translate: [^:]*/FILE/' err
yes 'word ' | head -n 300 | tr -d '\n' >long; echo >>long
t --max-length 50 --score long --confidence <<<'the dog' 2>err
echo "exit status $?"; cat err
t --n-best 4 --groups 3 <<<'the dog' >list && echo "groups have room for the list"
# A prefix is a prefix, whatever it costs.
sed 's/.*/彼は/' in >prefixes
t --prefix prefixes in | grep -cv '^彼は' | named "translations without their prefix"
sed -n '9,10p' <(t --prefix prefixes in) | tail -n 1
t --prefix <(echo ʘ) 2>&1 <<<'the dog' | grep -o 'tt-translate.*'
t --prefix <(printf '\377\n') 2>&1 <<<'the dog' | grep -o 'tt-translate.*'
t --score <(printf '\377\n') 2>&1 <<<'the dog' | grep -o 'tt-translate.*'
# Rules.
t --no-repeat 1 --min-length 3000 --beam 1 <<<'the dog' 2>&1 >/dev/null
tt-translate -q -m model.tt --extra-length 20 --min-length 12 --format json <in | grep -o '"tokens":[0-9]*' | cut -d : -f 2 | sort -n | sed -n 2p |
  awk '{ print ($1 >= 13) }' | named "is the second of least length long enough"
tt-translate -q -m model.tt --extra-length 0 --min-length 40 --format json <in | grep -o '"tokens":[0-9]*' | cut -d : -f 2 | sort -nu | sed -n 2p |
  awk '{ print ($1 >= 41) }' | named "and beyond the usual length"
t --confidence --n-best 2 <in | awk -F ' \\|\\|\\| ' 'NF != 5 || $5 <= 0 || $5 > 1 { print "no confidence: " $0 }'
t --no-repeat 1 --format json --token-scores <in | grep -o '"pieces":\[[^]]*\]' | while read -r p; do tr -d '[]' <<<"${p#*:}" | tr ',' '\n' | sort | uniq -d
  done | sort -u
printf '%s\n' '。' 'は' >forbidden
t --forbid forbidden <in | grep -c -e '。' -e 'は' | named "translations with a forbidden piece"
# As tt-bpe vocab prints them.
printf '%s\n' '\u{3002}' 'は' >escaped; t --forbid escaped <in | cmp - <(t --forbid forbidden <in) && echo "the same"
# Several models: twice the same is the same; another one changes something.
t --beam 3 -m model.tt <in | cmp - plain && echo "twice the same model is that model"
t --beam 3 -m other.tt <in | cmp -s - plain || echo "another model has its say"
tt-bpe train -q --vocab-size 370 -o small.model corpus/train.en corpus/train.ja
tt-train -q $quick --train corpus/train.en corpus/train.ja --subword small.model -o small --max-updates 2
try t -m small/update-0000002.tt <in
# Groups.
t --n-best 4 --groups 4 --diversity 5 <in | awk -F ' \\|\\|\\| ' '$1 != 9 { seen[$1 " " $2]++ } END { for (s in seen) if (seen[s] > 1) print "twice: " s }'
t --confidence <in | awk -F '\t' 'NF != 2 || $2 <= 0 || $2 > 1 { print "no confidence: " $0 }'
# A translation that was cut off has no end, and none that counts.
tt-translate -q -m model.tt --extra-length 0 --no-repeat 1 --format json --token-scores --confidence <<<'dog' |
  sed -E 's/.*"log_probability":([-0-9.]*).*"tokens":([0-9]*).*"confidence":([0-9.]*).*"token_scores":\[(.*)\],"pieces":(.*)\}/\1 \2 \3 \4 \5/' |
  awk '{ n = split($4, s, ","); c = exp($1 / (n - 1)); print s[n], n == $2, c - $3 < 0.001 && $3 - c < 0.001, ($5 ~ /<.s>"\]$/) }'
# A prefix that is too long, or that a blank line has, is left out; one that is long takes no time.
yes '彼は' | head -n 4000 | tr -d '\n' >long; echo >>long
t --prefix long 2>&1 >/dev/null <<<'the dog'; echo "exit status $?"
t --prefix <(printf '彼は\n彼は\n  \n') 2>&1 < <(printf 'the dog\n\n\n') | tail -n 3
