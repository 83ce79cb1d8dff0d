# JSON in and out: what is not asked for comes through as it was, and what is no object is answered by one.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 30
mv run/update-0000030.tt model.tt
t() { tt-translate -q -m model.tt --extra-length 5 "$@"; }
plain() { t <<<"$1"; }
cat >in <<'END'
{"id": 12345678901234567890123, "text": "The dog eats.", "x":  [1.50, {"a": null}]}
{"text": "", "translation": "old", "z": 1}
[1, 2]

{"text": 5}
{"no": "text"}
{"text": "The dog eats.", "prefix": "彼は"}
{"text": "cut
{"text": "The dog eats.", "number": 1e400, "half": "\ud83d"}
{"text": "x", "score": 1e-999,  "n": 1e400, "score": 2}
END
t --json <in >out 2>err
echo "exit status $?"
sed -E '1d; s/"translation":"[^"]+".*/TRANSLATION/; s/at byte.*"/at BYTE"/' out
sed 's/at byte [0-9]*/at BYTE/' err
grep -q '^{"id": 12345678901234567890123, "text": "The dog eats.", "x":  \[1.50, {"a": null}\],"translation":"' out && echo "as it was"
grep -qF "\"translation\":\"$(plain 'The dog eats.')\"" out && echo "as without JSON"
sed -n 7p out | grep -q '"translation":"彼は' && echo "with a prefix"
t --json --n-best 2 --token-scores --confidence --alignment hard <<<'{"text": "The dog eats."}' |
  grep -o '"[a-z_]*":' | tr '\n' ' '; echo
t --format json <<<'The dog eats.' | grep -o '^{"text":"The dog eats.","translation":'
printf 'id\tThe dog eats.\tx\nid\n\t\t\n' | t --column 2 >out 2>err
echo "exit status $?"
sed "s/$(plain 'The dog eats.')/TRANSLATION/" out
cat err
printf 'id\tThe dog eats.\tx\n' | t --column 2 --confidence --alignment hard | awk -F '\t' '{ print NF, $1, $3, ($5 > 0 && $5 <= 1) }'
printf 'The dog\n' >one; printf 'eats.\n\n' >two
t one two one - <<<'The dog' | wc -l
printf 'x\377\n' >bad
t one bad >out; echo "exit status $?"
