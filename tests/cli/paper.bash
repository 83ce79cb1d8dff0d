# The recipes of the paper at the smallest sizes: run TARGET... [NAME=VALUE...]
work=$PWD
export OPENBLAS_NUM_THREADS=1
run() {
  make -s -C "$TT_ROOT" -f data/paper.mk QUICK=1 BIN="$BUILD" OUT="$work/out" THREADS=1 SEEDS='1 2' UPDATES=4 \
    SIZES='--train 200 --dev 5 --test 60' SUBWORD='--type bpe --vocab-size 500' \
      MODEL='--preset tiny --encoder-layers 1 --decoder-layers 1 --d-model 32 --d-ff 32' \
    SMALL='--preset tiny --encoder-layers 1 --decoder-layers 1' LSTM='--type lstm --preset tiny --d-model 32 --bidirectional' \
    TRAINING='--tokens 256 --save-every 2 --keep-last 2 --tokenize char --extra-length 5' SEARCH='--beam 2' AVERAGE='--last 2' TREE_AVERAGE='--last 2' \
      TREE_SIZE=60 TREE_UPDATES=4 \
    TREE_MODEL='--preset tiny --d-model 32 --encoder-layers 1 --decoder-layers 1' \
    TREE_TRAINING='--embeddings target --save-every 2 --tokens 256 --tokenize none --max-length 512 --extra-length 5' TABLE4=parse \
    LAYERS='--lengths 8,16,32 --widths 16,32 --seconds 0.0001' FIGURE_LINES=3 TABLE3='base heads-1 dropout-0 learned' \
    LENGTH_STEP=17 "$@" 2>log || { cat log >&2; exit 1; }
}
