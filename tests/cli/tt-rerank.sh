# Choices by weights, weights by tuning, pairs for other programs.
. "$TT_ROOT/tests/cli/refused.bash"
cat >lists <<'END'
0 ||| the dog ||| LogProb= -1 Length= 3 ||| -0.5
0 ||| the dog sleeps ||| LogProb= -2 Length= 4 ||| -0.7
1 ||| a cat ||| LogProb= -1.5 Length= 3 ||| -0.7
1 ||| a cat eats the mouse ||| LogProb= -3 Length= 6 ||| -0.9
END
printf '%s\n' 'the dog sleeps here' 'a cat eats a mouse' >references
echo "By weights"
printf '# a comment\n\nLogProb= 1\n' >one; tt-rerank select --weights one lists
printf 'LogProb= 1 \nLength: 2\n' >two; tt-rerank select --weights two --n-best 2 lists
echo "With a feature from a file, of its own or in place of another"
printf '%s\n' 0 1 1 0 >numbers; printf 'X= 1\n' >x
tt-rerank select --weights x --feature X=numbers lists
tt-rerank select --weights one --feature LogProb=<(cat numbers) lists
echo "Tuned"
tt-rerank tune --references references --metric chrf lists >weights
cat weights | sed 's/= .*/= .../'
tt-rerank select --weights weights lists
tt-rerank tune -q --references references --metric chrf --threads 1 --restarts 3 lists |
  cmp - <(tt-rerank tune -q --references references --metric chrf --threads 3 --restarts 3 lists)
tt-rerank tune --references references --metric ter --features Length --restarts 0 lists
tt-rerank tune -q --references references --metric bleu --feature X=numbers --features X,LogProb --weights x lists | grep -c =
tt-rerank tune -q --references references --references <(printf 'the dog\na cat\n') --metric chrf lists | head -n 1
echo "JSON"
printf '%s\n' '{"n_best": [{"text": "a", "p": 1}, {"text": "b", "p": 2, "q": 7}]}' '["x"]' >json
printf 'p= 1\n' >p; tt-rerank select --json --weights p json; echo "exit status $?"
printf '%s\n' '{"n_best": [{"text": "a", "p": "x"}, {"text": "b", "p": -1}]}' | tt-rerank select --json --weights p; echo "exit status $?"
printf '%s\n' '{"n_best": [{"text": "a", "my score": 1}, {"text": "b", "my score": 2}]}' >spaced; echo b >b
tt-rerank tune --json --references b spaced 2>&1; echo "exit status $?"
tt-rerank tune --json --references b --features x,my spaced 2>&1 | head -n 1
echo "A name that begins as a comment does"
sed 's/Length/#length/' lists >hash
tt-rerank tune -q --references references --metric chrf --features '#length' --restarts 0 hash | tee hash.weights
tt-rerank select --weights hash.weights hash
echo "Pairs"
printf 'der Hund\neine\tKatze\n' >source
tt-rerank pairs --source source lists; echo "exit status $?"
printf 'x\xffy\nt\tu\n' >odd.source; printf '0 ||| a\tb ||| p= 1 ||| 1\n1 ||| c ||| p= 1 ||| 1\n' >odd.lists
tt-rerank pairs --source odd.source odd.lists; echo "exit status $?"
echo "Numbers that are none"
sed '1s/-1/nan/; 3s/LogProb/Other/; 4s/-3/x/' lists >wrong
tt-rerank select --weights one --n-best 2 wrong; echo "exit status $?"
printf 'Nothing= 1\n' >nothing; tt-rerank select --weights nothing lists; echo "exit status $?"
sed 's/LogProb= [-0-9.]*/LogProb= nan/' lists | tt-rerank select --weights one; echo "exit status $?"
tt-rerank tune -q --references references --metric chrf wrong --features LogProb | grep -c LogProb; echo "exit status ${PIPESTATUS[0]}"
echo "Numbers that are none in the file of a feature, which is named"
printf '%s\n' 1 x '' '3 ' >wrong.numbers
tt-rerank select --weights x --feature X=wrong.numbers lists 2>&1; echo "exit status $?"
tt-rerank select --weights one --feature X=- lists <wrong.numbers 2>&1; echo "exit status $?"
tt-rerank tune -q --references references --metric chrf --feature X=wrong.numbers --features X lists 2>&1; echo "exit status $?"
echo "The standard input has one name"
tt-rerank tune --references - lists <one 2>&1; echo "exit status $?"
tt-rerank tune --references - lists </dev/null 2>&1; echo "exit status $?"
tt-rerank tune --references references --features LogProb </dev/null 2>&1 >/dev/null; echo "exit status $?"
tt-rerank tune --references references --weights - lists <x 2>&1; echo "exit status $?"
refused tt-rerank select --weights - lists </dev/null
echo "Lists that are missing count as empty translations"
head -n 2 lists | tt-rerank tune --references references --metric chrf --features LogProb; echo "exit status $?"
echo "Refused"
refused tt-rerank select --weights none lists
for text in '' 'LogProb' 'LogProb= x' 'LogProb= 1\nLogProb= 2' '= 1'; do printf "$text\n" >bad; refused tt-rerank select --weights bad lists; done
refused tt-rerank select --weights one --feature X lists
refused tt-rerank select --weights one --feature X=none lists
refused tt-rerank select --weights x --feature X=numbers --feature X=numbers lists
refused tt-rerank select --weights one --json --feature X=numbers json
head -n 3 numbers >short; (cat numbers; echo 5) >long
tt-rerank select --weights one --feature X=short lists 2>&1; echo "exit status $?"
tt-rerank select --weights one --feature X=long lists 2>&1; echo "exit status $?"
refused tt-rerank tune lists
refused tt-rerank tune --references references --references one lists
refused tt-rerank tune --references references --features A,A lists
refused tt-rerank tune --references references --weights x lists
sed 's/ |||.*/ ||| text/' lists >bare; refused tt-rerank tune --references references bare
refused tt-rerank tune --references /dev/null lists
refused tt-rerank tune --references references --spm-model one lists
refused tt-rerank tune --references references -l de lists
refused tt-rerank tune --references references -t spm --spm-model - - </dev/null
echo "Tokenizers"
spm="$TT_ROOT/tests/golden/comet/regression/sentencepiece.bpe.model"
tt-rerank tune -q --references references -t spm --spm-model "$spm" lists | head -n 1
printf '%s\n' '0 ||| ฉันชอบกินข้าวผัดกุ้ง ||| A= 1' >thai; echo 'ฉันชอบข้าวผัด' | tt-rerank tune --references - -l en-th thai 2>&1
cp lists same; refused tt-rerank tune --references references -o same same
refused tt-rerank pairs lists
