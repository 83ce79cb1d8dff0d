# A model is binary: a terminal is refused before any work, redirected output is not.
. "$TT_ROOT/tests/cli/safetensors.bash"
command -v script >/dev/null || { echo "no script(1)" >&2; exit 77; }
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "no pseudo-terminals here" >&2; exit 77; }
model a.tt 1
echo 'the old mill' >text
script -qec "tt-average -o - a.tt" /dev/null </dev/null; echo "exit status $?"
script -qec "tt-bpe train -o - missing" /dev/null </dev/null; echo "exit status $?"
script -qec "tt-average -q -o - a.tt | wc -c" /dev/null </dev/null; echo "exit status $?"
