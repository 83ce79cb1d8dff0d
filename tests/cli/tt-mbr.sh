# What is chosen, from which references, in which form.
. "$TT_ROOT/tests/cli/refused.bash"
cat >lists <<'END'
0 ||| the dog sleeps ||| LogProb= -3 Length= 4 ||| -0.8
0 ||| a dog sleeps ||| LogProb= -1 Length= 4 ||| -0.2 ||| 0-0 1-1
0 ||| the dog sleeps now ||| LogProb= -2.5 Length= 5 ||| -0.6
0 ||| a dog sleeps ||| LogProb= -1.1 Length= 5 ||| -0.3
1 |||  ||| LogProb= 0 Length= 1 ||| 0
2 ||| good morning
2 ||| good
END
tt-mbr lists
echo "All of them"
tt-mbr --n-best 9 lists
echo "The best, by a feature that was there before"
tt-mbr --n-best 9 lists | tt-mbr --n-best 1
echo "Against one reference, whose probability is nearly 1"
sed '1s/-3/30/' lists | tt-mbr --log-probability LogProb --n-best 1 | sed -n 1p
echo "References of their own"
printf '%s\n' '0 ||| the dog sleeps now' '1 ||| x' '2 ||| good morning all' '3 ||| y' >references
tt-mbr --references references lists
echo "exit status $?"
echo "Pruned"
tt-mbr --prune 2 --n-best 9 lists
tt-mbr --prune 100 --n-best 9 lists | cmp - <(tt-mbr --n-best 9 lists) && echo "none is pruned"
echo "JSON"
cat >json <<'END'
{"id": 1e999, "n_best": [{"translation": "a dog", "score": -1, "x": {"a": [1.0]}}, {"translation": "the dog"}, "the dog, it"], "chrF2": 7, "z": 1.50}
["one \"x\"", "one", "two"]
END
tt-mbr --json <json
tt-mbr --json --n-best 2 <json
echo "As many lines for any number of threads, in order"
for i in {0..199}; do printf "$i ||| %s\n" "a b $i" "a c $i" "b c $i" "a b c $i"; done >many
tt-mbr --threads 1 many >one; tt-mbr --threads 3 many | cmp - one && wc -l <one
sed 100q many | gzip | tt-mbr | cmp - <(head -n 25 one)
echo "A part of a text"
tail -n +101 many | tt-mbr --first-line 26 | cmp - <(tail -n +26 one)
(head -n 4 many; sleep 0.2; exec sed 1,4d many) | tt-mbr | cmp - one
echo "Tokenizers"
tt-mbr --utility bleu -t spm --spm-model "$TT_ROOT/tests/golden/comet/regression/sentencepiece.bpe.model" --n-best 1 lists | tail -n 1
printf '%s\n' '["ฉันชอบกินข้าวผัดกุ้ง", "ฉันชอบข้าวผัด"]' | tt-mbr --json --utility bleu -l en-th 2>&1
printf '%s\n' '0 ||| 今日は' '0 ||| 今日' | tt-mbr --utility bleu -l en-zh --n-best 1
echo "Refused"
refused tt-mbr none
refused tt-mbr --prune 3 --aggregate lists
refused tt-mbr --utility comet lists
refused tt-mbr --utility bleu --tokenize nosuch lists
refused tt-mbr --utility bleu --spm-model plain lists
refused tt-mbr --utility bleu --tokenize spm --spm-model lists lists
refused tt-mbr --utility bleu -l de lists
refused tt-mbr --utility chrf --char-order 0 lists
refused tt-mbr --json --first-line 2 json
refused tt-mbr - --references -
cp lists same; refused tt-mbr -o same same; cmp lists same
printf 'plain text\nof two lines\n' >plain
refused tt-mbr plain
refused tt-mbr json
printf '0 ||| a\n2000000 ||| b\n' >far; tt-mbr far 2>&1; echo "exit status $?"
