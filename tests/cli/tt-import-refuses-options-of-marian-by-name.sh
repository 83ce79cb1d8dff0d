# A model of Marian that computes what ours cannot is refused by the name of its option, never translated wrongly.
le() { local i; for ((i = 0; i < $2; i++)); do printf "\\x$(printf %02x $(($1 >> (8 * i) & 255)))"; done; }
import() { # OPTIONS: a .bin with these options and no tensor
  local name=special:model.yml bytes
  printf 'type: transformer\n%b\n' "$1" >options
  bytes=$(stat -c %s options)
  { le 1 8; le 1 8; le $((${#name} + 1)) 8; le 257 8; le 1 8; le "$bytes" 8; printf '%s\0' "$name"; le "$bytes" 4; le 0 8; cat options; } >model.bin
  tt-import -q -o model.tt model.bin 2>&1 && echo "  was imported"
}
for options in 'transformer-decoder-autoreg: average-attention' 'transformer-decoder-autoreg: rnn\ndec-cell: gru' \
  'transformer-decoder-autoreg: rnn\ndec-cell: ssru\ntransformer-rnn-projection: true' \
  'transformer-decoder-autoreg: rnn\ndec-cell: ssru\nlayer-normalization: true' \
  'right-left: true' 'transformer-pool: true' 'transformer-no-bias: true' 'transformer-attention-mask: alibi' \
  'transformer-ffn-depth: 1' 'transformer-decoder-ffn-depth: 3\ntransformer-ffn-depth: 2' \
  'transformer-preprocess: r' 'transformer-postprocess-top: a' 'transformer-ffn-activation: tanh' 'right-left: false'; do
  import "$options"
done
true
