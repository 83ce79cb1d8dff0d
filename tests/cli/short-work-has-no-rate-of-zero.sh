# Where there was little to do the report has no rate that is rounded to nothing.
. "$TT_ROOT/tests/cli/bpe.bash"
lines 300 >words
tt-bpe train -q --vocab-size 100 -o bpe.model words
none() { grep -E '(^| )0(\.0+)? ([a-z ]+/s|% of peak)' "$1" && echo "is in the report"; }
tt-bpe encode --cost -m bpe.model </dev/null 2>report; none report
{ sleep 1.5; echo one; } | tt-bpe encode --cost -m bpe.model >out 2>report; none report
cut -d, -f1 report
# A file that is no terminal gets it only where it is asked for.
echo one | tt-bpe encode -m bpe.model 2>&1 >out
