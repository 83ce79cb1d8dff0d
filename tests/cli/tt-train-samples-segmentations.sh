# Segmentations that are sampled in training, of BPE and of unigram models: each setting is for its kind, and both where there are both.
. "$TT_ROOT/tests/cli/train.bash"
. "$TT_ROOT/tests/cli/refused.bash"
prepare
tt-bpe train -q --type unigram --vocab-size 400 --coverage 1 -o unigram.model corpus/train.en corpus/train.ja
pieces() { tt-train $quick -q --train corpus/train.en corpus/train.ja --subword "$@"; }
pieces unigram.model --subword-alpha 0.2 --max-updates 6 -o whole
pieces unigram.model --subword-alpha 0.2 --max-updates 3 --threads 1 -o parts
pieces unigram.model --subword-alpha 0.2 --max-updates 6 --threads 2 -o parts
cmp whole/update-0000006.tt parts/update-0000006.tt && echo "the same bits"
pieces unigram.model --max-updates 6 -o plain; cmp -s whole/update-0000006.tt plain/update-0000006.tt || echo "others than without"
pieces unigram.model subword.model --embeddings none --subword-alpha 0.2 --subword-dropout 0.1 --max-updates 2 -o both && echo "one for each side"
echo "What is refused"
refused tt-train $quick --train corpus/train.en corpus/train.ja --subword unigram.model --subword-dropout 0.1 -o no
refused tt-train $quick --train corpus/train.en corpus/train.ja --subword subword.model --subword-alpha 0.1 -o no
refused tt-train $quick --train corpus/train.en corpus/train.ja --subword unigram.model subword.model --embeddings none --subword-alpha 0.1 -o no
refused tt-train --print-config --subword-alpha -1
[ -e no ] || echo "nothing was written"
