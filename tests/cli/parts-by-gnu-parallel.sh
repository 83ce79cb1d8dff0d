# The recipe of tt(7) for GNU parallel, killed in the middle: nothing is lost, and nothing is there twice.
parallel --version 2>/dev/null | grep -q 'GNU parallel' || { echo "GNU parallel is not installed" >&2; exit 77; }
. "$TT_ROOT/tests/cli/train.bash"
. "$TT_ROOT/tests/cli/parts.bash"
prepare_corpus
recipe translate-parallel
killed_once 'part.*.out' sh translate-parallel
cmp expected corpus.de && echo same
