# Marian finds tensors by name, and lets the options in a model override its command line: no path and no limit is among them.
. "$TT_ROOT/tests/cli/train.bash"
prepare
for norm in post pre; do
  quick_train -q -o $norm --max-updates 4 --decoder-self ssru --norm $norm --start zero --position-layout tensor2tensor --norm-epsilon 1e-6 \
    --weight-decay 0.1 --quantize-from 3
  mv $norm/update-0000004.tt $norm.tt
  tt-export -q --to marian -o marian $norm.tt
  echo "$norm"
  grep -aoE 'decoder_l1_(rnn|ffn)_[a-zA-Z0-9_]+\.npy' marian/model.npz | sort -u
  grep -aoE '^(type|dec-cell|transformer-decoder-autoreg|transformer-preprocess|vocabs|max-length|models).*' marian/model.npz
  tt-import -q -o back.tt marian
  score() { tt-translate -q -m "$1" --score corpus/test.en --length-penalty length --alpha 1 corpus/test.ja; }
  cmp <(score $norm.tt) <(score back.tt) && echo "it comes back"
done
