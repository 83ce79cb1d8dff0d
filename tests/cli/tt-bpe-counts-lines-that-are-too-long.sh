# Lines skipped in training are counted, the first is named, and the exit status says it, also under -q.
. "$TT_ROOT/tests/cli/bpe.bash"
lines 600 >whole
{ lines 600; head -c 5000 /dev/zero | tr '\0' 'x'; printf '\n'; lines 10; } >text
train() { tt-bpe train --vocab-size 100 -o a.model "$@" 2>&1 | grep 'skipped\|normalisation'; echo "exit status ${PIPESTATUS[0]}"; }
train text
train -q text
train -q whole text text
train -q --lines 100 text
train -q - <text
train -q --longest-line 6000 text
sed 's/[a-z]/&\x02/g' text >controls; train -q --longest-line 100000 controls
train -q whole
