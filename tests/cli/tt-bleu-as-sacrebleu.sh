# sacreBLEU's command lines work as they do there: each pair is one in its syntax and one in ours.
. "$TT_ROOT/tests/cli/bleu.bash"
same() {
  local theirs ours
  theirs=$(eval "tt-bleu $1" 2>&1; echo $?) ours=$(eval "tt-bleu $2" 2>&1; echo $?)
  if [ "$theirs" = "$ours" ]; then echo "same: $1"; else echo "NOT same: $1"; printf '%s\n' "$theirs" "$ours"; fi
}
paste ref.1 ref.1 >refs
same 'ref.1 -i a.txt -tok intl' 'ref.1 -i a.txt --tokenize intl'
same 'ref.1 -i a.txt -tok=intl' 'ref.1 -i a.txt --tokenize=intl'
same 'ref.1 -i a.txt -lc -s floor -sv 0.5' 'ref.1 -i a.txt --lowercase --smooth floor:0.5'
same 'ref.1 -i a.txt --smooth-method add-k --smooth-value 2' 'ref.1 -i a.txt --smooth add-k:2'
same 'ref.1 -i a.txt -m bleu chrf ter -b' 'ref.1 -i a.txt --metric bleu,chrf,ter --score-only'
same '-m TER bleu ref.1 -i a.txt' 'ref.1 -i a.txt --metric bleu,ter'
same 'ref.1 -i a.txt --metrics CHRF --chrf-char-order 4 --chrf-word-order 1 --chrf-beta 3 --chrf-whitespace --chrf-eps-smoothing' \
  'ref.1 -i a.txt --metric chrf --char-order 4 --word-order 1 --beta 3 --whitespace --eps-smoothing'
same 'ref.1 -i a.txt -m chrf -cc 5 -cw 2 --chrf-lowercase' 'ref.1 -i a.txt --metric chrf --char-order 5 --word-order 2 --chrf-lowercase'
same 'ref.1 -i a.txt -m ter --ter-normalized --ter-asian-support' 'ref.1 -i a.txt --metric ter --ter-normalized --ter-asian'
same 'ref.1 -i a.txt -ci -cin 50' 'ref.1 -i a.txt --confidence --samples 50'
same 'ref.1 -i a.txt b.txt -pbs --paired-bs-n 50 --paired-jobs=0' 'ref.1 -i a.txt b.txt --paired-bs --samples 50'
same 'ref.1 -i a.txt b.txt -par -parn 50 -j 2' 'ref.1 -i a.txt b.txt --paired-ar --samples 50 --threads 2'
same 'ref.1 -i a.txt -sl -f text -nc' 'ref.1 -i a.txt --sentence'
same 'ref.1 -i a.txt --sentence-level --short --no-color' 'ref.1 -i a.txt --sentence --short'
same 'ref.1 -i a.txt -f json -sh' 'ref.1 -i a.txt --format json'
same 'refs -nr 2 -w 3 --force -q <a.txt' 'refs --num-refs 2 --width 3 <a.txt'
same '-V' '--version'
run() { echo "$ tt-bleu $*"; tt-bleu "$@" 2>&1; echo "exit $?"; }
run ref.1 -i a.txt -f xml
run ref.1 -i a.txt -sv 2
run ref.1 -i a.txt --test-set wmt14
run ref.1 -i a.txt -m bleu meteor
run ref.1 -i a.txt -m
run ref.1 -i a.txt -tok
cp a.txt ./-tok
run ref.1 -i ./-tok
