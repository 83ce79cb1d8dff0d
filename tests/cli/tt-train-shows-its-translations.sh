# --show prints sentences of the development set with their translations; when most of these are one line, that is a warning.
. "$TT_ROOT/tests/cli/train.bash"
prepare
train="tt-train $quick --train corpus/train.en corpus/train.ja --subword subword.model --dev corpus/dev.en corpus/dev.ja --valid-every 20"
$train -o run --max-updates 20 --show 2 --log log 2>&1 | grep -E 'source  |reference'
grep -c '"shown":\[{"line":1,"translation":.*{"line":16,' log
# 0 is a number, also of a run that goes on; a number of tokens takes the place of memory.
tt-train --resume run --show 0 --max-updates 40 2>&1 | grep -c 'source  '
tt-train --resume run --max-updates 60 2>&1 | grep -c 'source  '
tt-train --resume run --show 1 --memory 4G --max-updates 80 2>&1 | grep -oE 'source  |of 4[^ ]* GiB'
tt-train --resume run --tokens 300 --max-updates 100 2>&1 | grep -oE 'source  |of 4[^ ]* GiB'
# At such a rate nothing is learned.
$train -q -o blind --max-updates 40 --rate 0.3 --log blind.log 2>&1 | grep -oE 'update [0-9]+: [0-9]+ of 30 translations are the same' | sort -u
grep -c '"warning","message":"update [0-9]*: [0-9]* of 30 translations' blind.log
