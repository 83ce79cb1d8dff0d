# A packed model is translated as the model that it was made of, by any instructions, in eight bits too; it cannot be trained or averaged.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 20
tt-train -q --type lstm --attention general --embeddings none --encoder-layers 1 --decoder-layers 1 --d-model 36 --tokens 400 --warmup 20 \
  --rate 0.003 --tokenize char --valid-every 0 --max-updates 5 --train corpus/train.en corpus/train.ja --subword subword.model -o lstm
head -n 30 corpus/test.en >lines
t="tt-translate -q --extra-length 5"
for run in lstm run; do
  echo "$run"
  tt-average -q -o model.tt --last 1 $run
  tt-average -q --packed -o packed.tt --last 1 $run
  $t -m model.tt <lines >plain
  $t -m packed.tt <lines | cmp - plain && echo same
  for name in any avx2 avx512; do
    TT_INSTRUCTIONS=$name $t -m model.tt --score plain <lines >scores
    TT_INSTRUCTIONS=$name $t -m packed.tt --score plain <lines | cmp - scores && echo "scores with $name"
  done
  $t -m model.tt --int8 <lines >eight
  $t -m packed.tt --int8 <lines | cmp - eight && echo 'in eight bits'
  $t -m model.tt --precision bfloat16 <lines >narrow
  $t -m packed.tt --precision bfloat16 --threads 1 --batch-tokens 1 <lines | cmp - narrow && echo 'in bfloat16, line by line'
  TT_INSTRUCTIONS=avx512 $t -m model.tt --precision bfloat16 --score plain <lines >narrow.scores
  cmp -s scores narrow.scores || echo 'scores in bfloat16 are others'
  for name in avx2 avx512; do
    TT_INSTRUCTIONS=$name $t -m packed.tt --precision bfloat16 --score plain <lines | cmp - narrow.scores && echo "scores in bfloat16 with $name"
  done
  tiles() { TT_INSTRUCTIONS=emulated-amx $t --precision bfloat16 "$@" < <(head -n 20 lines); }
  tiles -m model.tt >by.tiles
  tiles -m packed.tt --threads 1 --batch-tokens 1 | cmp - by.tiles && echo 'by tiles, line by line'
done
echo 'what cannot be done with it'
refused() { "$@" 2>&1; echo "exit status $?"; }
refused tt-average -q -o mean.tt packed.tt
refused tt-average -q --packed --int8 -o mean.tt model.tt
refused quick_train -q -o from --from packed.tt --max-updates 1
refused tt-export -q --to ctranslate2 -o folder packed.tt
sed 's/"packed"/"pucked"/' packed.tt >other.tt
refused tt-translate -m other.tt <lines
