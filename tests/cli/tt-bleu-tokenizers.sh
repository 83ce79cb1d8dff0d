# Tokenizers that need a file, and those chosen by language.
. "$TT_ROOT/tests/cli/bleu.bash"
export SACREBLEU=$PWD/sacrebleu
run() { echo "$ tt-bleu $*"; tt-bleu "$@" 2>&1 | sed "s|$PWD/||g"; echo "exit ${PIPESTATUS[0]}"; }
cat ref.? ?.txt | tt-bpe train --type bpe --vocab-size 60 -o model - -q
pieces() { tt-bpe encode -m model -q <"$1" >"$1.pieces"; }
pieces ref.1; pieces a.txt
numbers() { tt-bleu "$@" -w 8 -q | sed 's/.*= //'; }
[ "$(numbers ref.1 -i a.txt -t spm --spm-model model)" = "$(numbers ref.1.pieces -i a.txt.pieces -t none)" ] && echo 'pieces are tokens'
for name in flores101 flores200 spBLEU-1K; do run ref.1 -i a.txt -t $name --spm-model model; done
run ref.1 -i a.txt -t spm --spm-model model | sed -E 's/spm-[0-9a-f]{8}/spm-SUM/'
run ref.1 -i a.txt -t flores200
mkdir -p sacrebleu/models && cp model sacrebleu/models/flores200sacrebleuspm
run ref.1 -i a.txt -t flores200
run ref.1 -i a.txt -t flores200 --spm-model ref.1
run ref.1 -i a.txt -t flores200 --spm-model none
run ref.1 -i a.txt --spm-model model
run ref.1 -i a.txt -t zh --mecab-dictionary .
run ref.1 -i a.txt -t ko-mecab --mecab-dictionary sacrebleu
run ref.1 -i a.txt -t wmt14
for pair in en-de en-zh de-ko en; do run ref.1 -i a.txt -l $pair; done
run ref.1 -i a.txt -l en-zh -t 13a
run ref.1 -i a.txt -l en-zh -t flores200
run ref.1 -i a.txt -l en-zh --metric chrf
