# Settings, tensors, subword model and history of a model come out of it.
. "$TT_ROOT/tests/cli/train.bash"
prepare
quick_train -q -o run --max-updates 4 --save-every 2
tt-average -q -o model.tt --last 2 run
tt-model show -m model.tt | sed -E 's/run\///g; s/^(checksum\t)[0-9a-f]{8}$/\1eight digits/'
tt-model config -m model.tt -o settings.json
tt-train --config settings.json --print-config | cmp - settings.json && echo "settings that tt-train reads"
tt-model tensors -m model.tt | head -n 3
tt-model tensors -m run/state.tt
tt-model tensor -m model.tt encoder.1.ffn.in_bias | awk -F '\t' '{ print NR, NF }'
tt-model tensor -m model.tt embeddings | awk -F '\t' '{ n = NF } END { print NR, n }'
tt-model tensor -m model.tt subword -o copy.model; cmp copy.model subword.model && echo "bytes of a tensor"
tt-model subword -m model.tt | cmp - subword.model && echo "the subword model"
head -n 20 corpus/test.en | tt-bpe encode -q -m model.tt | cmp - <(head -n 20 corpus/test.en | tt-bpe encode -q -m subword.model) &&
  echo "read inside the model"
tt-bpe vocab -m model.tt --side target | wc -l
tt-average -q --packed -o packed.tt model.tt
tt-average -q --int8 -o eight.tt model.tt
for m in model packed eight; do tt-model show -m $m.tt | sed -n 's/^parameters\t\([0-9,]*\), .*/\1/p'; done | uniq -c | sed 's/^ *//'
name=$'odd\nname\e[31m.tt'
cp model.tt "$name"; tt-average -q -o mean.tt "$name"; tt-model show -m mean.tt | grep ^averaged
try tt-model config -m model.tt -o model.tt
ln model.tt other.tt; try tt-model tensor -m model.tt -o other.tt embeddings
try tt-model tensor -m model.tt nothing
# A configuration that its tensors contradict, or its subword models.
for change in 's/d_ff\\":48/d_ff\\":64/' 's/encoder_layers\\":1/encoder_layers\\":2/' 's/embeddings\\":\\"shared/embeddings\\":\\"target/'; do
  LC_ALL=C sed "$change" model.tt >changed.tt
  try tt-model show -m changed.tt
done
try tt-model subword -m corpus/test.en
try tt-model show -m run/state.tt
try tt-model show -m none
tt-model
echo "exit status $?"
