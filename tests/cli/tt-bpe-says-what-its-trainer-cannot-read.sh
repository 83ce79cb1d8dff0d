# NUL and U+2585, which end words for the trainer, are counted, the first is named, and the exit status says it, also under -q.
. "$TT_ROOT/tests/cli/bpe.bash"
lines 600 >whole
train() { tt-bpe train --vocab-size 100 -o a.model "$@" 2>&1 | grep 'NUL'; echo "exit status ${PIPESTATUS[0]}"; }
{ lines 600; printf 'the\0river\nthe house\n'; } >nul
{ lines 600; printf 'the river\nthe▅house▅\na\0▅mill\n'; } >block
train nul
train -q block
train -q nul block
train -q --lines 100 block
train - <block
train -q whole
