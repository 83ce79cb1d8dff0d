# All programs train, average, translate with and plot an LSTM as well; features that it lacks are refused with a message.
. "$TT_ROOT/tests/cli/train.bash"
prepare
lstm="--type lstm --preset tiny --encoder-layers 1 --decoder-layers 1 --d-model 32 --tokens 400 --warmup 20 --rate 0.003
      --beam 2 --valid-every 0 --save-every 2 --max-updates 4"
train_lstm() { tt-train -q $lstm --train corpus/train.en corpus/train.ja --subword subword.model "$@"; }
train_lstm -o run --bidirectional --input-feeding --attention concat
tt-average -q --last 2 -o model.tt run
head -n 3 corpus/test.en | tt-translate -q -m model.tt --extra-length 3 --attention cross.jsonl | wc -l
grep -o '"kind":"[a-z]*","layer":[0-9]*,"head":[0-9]*' cross.jsonl | sort | uniq -c | sed 's/^ *//'
tt-attention-plot --tsv cross.jsonl >picture && [ -s picture ] && echo drawn
train_lstm -o deaf --attention none
head -n 3 corpus/test.en | tt-translate -q -m deaf/update-0000004.tt --extra-length 3 | wc -l
t() { echo 'the dog' | tt-translate -q "$@"; }
try t -m deaf/update-0000004.tt --attention -
try t -m model.tt --attention - --self-attention
try t -m deaf/update-0000004.tt --alignment hard
try train_lstm -o new --heads 4
try train_lstm -o new --heads 8
try train_lstm -o new --attention none --input-feeding
try train_lstm -o new --bidirectional --d-model 33
try quick_train -q -o new --bidirectional
try train_lstm -o run --attention dot --bidirectional --input-feeding --max-updates 6
# A file chooses the type, and so the layers of a preset.
echo '{"type": "lstm"}' >lstm.json
tt-train --preset tiny --config lstm.json --print-config | grep -E '"(type|encoder_layers|d_model|d_ff|clip)"'
# Settings that a file names must apply to the type, whatever their values; printed settings name no others.
echo '{"type": "lstm", "heads": 8}' >heads.json
try tt-train --print-config --config heads.json
tt-train --print-config >transformer.json
try tt-train --print-config --type lstm --config transformer.json
try train_lstm -o new --attention none --attention-dropout 0.5
tt-train --print-config --type lstm >all.json; tt-train --print-config --config all.json | cmp - all.json
