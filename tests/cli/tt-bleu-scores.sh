# One-line output of every metric, tables, sentences, and all sources of text.
. "$TT_ROOT/tests/cli/bleu.bash"
run() { echo "$ tt-bleu $*"; tt-bleu "$@"; }
run ref.1 <a.txt
run ref.1 ref.2 -i a.txt --metric bleu,CHRF,chrf++,ter -w 4
run ref.1 -i a.txt --metric bleu --metric ter --score-only
run ref.1 -i a.txt b.txt --metric bleu,ter
run ref.1 -i a.txt b.txt --metric bleu,ter --score-only
run ref.1 -i a.txt --lowercase -t intl --smooth add-k:2 --max-order 3 --effective-order
run ref.1 -i a.txt --metric chrf --char-order 4 --word-order 1 --beta 1 --whitespace --eps-smoothing --chrf-lowercase
run ref.1 -i a.txt --metric ter --ter-normalized --ter-no-punct --ter-asian --ter-case-sensitive
run ref.1 ref.2 -i a.txt --metric bleu,chrf,ter --sentence 2>&1
run ref.1 -i a.txt --sentence --json -q
run ref.1 -i a.txt --json
run ref.1 -i a.txt --metric bleu,chrf --lowercase
run ref.1 -i a.txt b.txt --json -w 2 --paired-bs --samples 100
run ref.1 -i a.txt --sentence --json -w 0 -q
run ref.1 -i a.txt --metric bleu,chrf,ter --short --confidence --samples 10
run ref.1 -i a.txt --paper
run ref.1 -i a.txt --confidence
run ref.1 -i a.txt b.txt --paired-ar --threads 3
gzip -c ref.1 >ref.gz
head -n 2 a.txt | run ref.gz --prefix 2>&1
head -n 3 ref.1 | run - -i a.txt --score-only
