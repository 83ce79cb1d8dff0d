# One model of two directions: pieces that choose them are put around each sentence, in training, validation and translation.
. "$TT_ROOT/tests/cli/train.bash"
prepare
tt-bpe train -q --languages en,ja --vocab-size 400 -o pieces.model corpus/train.en corpus/train.ja
many="--subword pieces.model --train en ja corpus/train.en corpus/train.ja --train ja en corpus/train.ja corpus/train.en"
train() { tt-train -q $quick $many "$@"; }
same() { cmp <(tail -c +3000 "$1") <(tail -c +3000 "$2") && echo "the same bits"; }

echo "-- each place of the pieces"
for target in first source; do
  train --target-language $target -o $target --max-updates 4; echo "exit status $?"
  tt-model config -m $target/update-0000004.tt | grep target_language; tt-model languages -m $target/update-0000004.tt
  tt-model show -m $target/update-0000004.tt | grep -c target_text  # which is of one language
  try tt-translate -q -m $target/update-0000004.tt <corpus/test.en
  tt-translate -q -m $target/update-0000004.tt --to ja <corpus/test.en 2>/dev/null | wc -l
  head -n 1 corpus/test.en | tt-translate -q -m $target/update-0000004.tt --to ja --attention - 2>/dev/null |
    grep -o '"source":\["[^"]*","[^"]*"\|"target":\["[^"]*"'
done
train --source-language behind --target-language first -o behind --max-updates 4
head -n 1 corpus/test.en | tt-translate -q -m behind/update-0000004.tt --from en --to ja --attention - 2>/dev/null |
  grep -o '"[^"]*","[^"]*"\],"target":\["[^"]*"'

echo "-- the directions are learned, and told apart"
train --target-language first --source-language before -o both --max-updates 150 --rate 0.01 --save-every 150 --valid-every 100 --log log.jsonl \
  --dev en ja corpus/dev.en corpus/dev.ja --dev ja en corpus/dev.ja corpus/dev.en --threads 2
grep '"valid"' log.jsonl | tail -n 1 | grep -o '"sets":\[{"name":"[^"]*"\|},{"name":"[^"]*"'
model=both/update-0000150.tt
japanese() { grep -cP '[\p{Hiragana}\p{Katakana}\p{Han}]'; }
tt-translate -q -m $model --from en --to ja <corpus/test.en 2>/dev/null | japanese
tt-translate -q -m $model --from ja --to en <corpus/test.ja 2>/dev/null | japanese
paste corpus/test.en - <<<"$(yes ja | head -n 40)" | tt-translate -q -m $model --column 1 --to-column 2 --from en 2>/dev/null | cut -f 1 |
  cmp - <(tt-translate -q -m $model --from en --to ja <corpus/test.en 2>/dev/null) && echo "as with options"

echo "-- resumed, with other threads, from a store: the same bits"
train --target-language first -o whole --max-updates 8 --threads 2 --store whole.store
train --target-language first -o parts --max-updates 5 --threads 1
train --target-language first -o parts --max-updates 8 --threads 3 --store parts.store
same whole/update-0000008.tt parts/update-0000008.tt
mv corpus moved; tt-train -q --resume parts --max-updates 9 2>&1 | grep -o 'No such file'; mv moved corpus
tt-train -q --resume parts --max-updates 9 && ls parts | grep 9

echo "-- a temperature: sizes 400 and 40"
head -n 40 corpus/train.ja >few.ja; head -n 40 corpus/train.en >few.en
for t in 1 5 1000; do
  tt-train $quick --subword pieces.model --target-language first --train en ja corpus/train.en corpus/train.ja --train ja en few.ja few.en \
    --language-temperature $t -o t$t --max-updates 1 --threads 1 2>&1 | grep 'in an epoch'
done
train --target-language first --language-temperature 5 -o whole5 --max-updates 8 --store five.store
train --target-language first --language-temperature 5 -o parts5 --max-updates 3 && tt-train -q --resume parts5 --max-updates 8
same whole5/update-0000008.tt parts5/update-0000008.tt

echo "-- BPE-dropout leaves the pieces of languages as they are"
train --target-language first --source-language before --subword-dropout 0.5 -o dropout --max-updates 100 --rate 0.01
tt-translate -q -m dropout/update-0000100.tt --from en --to ja <corpus/test.en 2>/dev/null | japanese

echo "-- fine-tuning has the settings of the model"
tt-train -q --from $model --train en ja corpus/train.en corpus/train.ja -o tuned --max-updates 2 --tokens 400 --warmup 1 --tokenize char --dev en ja \
  corpus/dev.en corpus/dev.ja
tt-model config -m tuned/update-0000002.tt | grep '_language"'
try tt-train -q --from $model --train corpus/train.en corpus/train.ja -o other

echo "-- text that names its language itself"
sed 's/^/>>ja<< /' corpus/train.en >own.en
tt-bpe train -q --user-symbols '>>ja<<,>>en<<' --vocab-size 400 -o own.model corpus/train.en corpus/train.ja
tt-train -q $quick --subword own.model --target-language source --train own.en corpus/train.ja --train en ja corpus/train.en corpus/train.ja -o own \
  --max-updates 4
tt-train -q $quick --subword own.model --target-language source --train own.en corpus/train.ja --train en ja own.en corpus/train.ja -o twice --max-updates 4
same own/update-0000004.tt twice/update-0000004.tt
own() { tt-translate -q -m own/update-0000004.tt "$@"; }
head -n 5 own.en | own >one; echo "exit status $?"
sed 's/^>>ja<< //' own.en | head -n 5 | own --to ja 2>/dev/null | cmp - one && echo "the same"
head -n 5 own.en | own --to en 2>/dev/null | cmp - one && echo "a line's own language counts"
{ echo '>>ja<< the dog'; echo 'the dog'; echo; echo '>>fra<< the dog'; } | own | wc -l
printf '%s\n' '{"text": ">>ja<< the dog", "to": "en"}' '{"text": ">>ja<< the dog", "to": "__ja__"}' '{"text": "the dog", "to": "ja"}' '{"text": "the dog"}' |
  own --json 2>/dev/null | grep -o '"error.*'
echo '>>ja<< the dog sees the cat . the man sees the cat . the dog sees the cat .' >long
own --max-length 8 --attention - <long 2>/dev/null | grep -o '">>ja<<"' | wc -l

echo "-- what is refused"
refused() { tt-train -q $quick "$@" -o never; echo "exit status $?"; }
refused --subword pieces.model --train en ja corpus/train.en corpus/train.ja
refused --subword pieces.model --target-language first --train corpus/train.en corpus/train.ja
refused --subword pieces.model --target-language first --train en de corpus/train.en corpus/train.ja
refused --subword subword.model --target-language first --train en ja corpus/train.en corpus/train.ja
refused --subword pieces.model --target-language first --train en ja corpus/train.en corpus/train.ja --dev corpus/dev.en corpus/dev.ja
refused --subword pieces.model --train corpus/train.en corpus/train.ja --language-temperature 5
refused --subword pieces.model --target-language first --source-language behind --source-eos false --train en ja corpus/train.en corpus/train.ja
refused --subword pieces.model --target-language first --train a b c d e
refused --subword pieces.model --target-language first --train en ja corpus/train.en corpus/train.ja --mix ja en corpus/train.ja corpus/train.en many
ls never 2>/dev/null
