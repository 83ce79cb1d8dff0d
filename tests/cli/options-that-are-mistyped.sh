# Unknown words are named, with a suggestion if there is a similar one; missing arguments are named as users see them.
try() { "$@"; echo "exit status $?"; }
try tt-translate --bem 4
try tt-translate --bem=4
try tt-translate --baem
try tt-translate --max-lenght 3
try tt-translate --vocab
try tt-translate -x
try tt-translate a b
try tt-translate --
try tt-translate --beam
try tt-translate --beam=
try tt-translate -m x --output= y
try tt-bpe train --vocab-size= 300 x
try tt-train --stop-when-full= --print-config
try tt-train --stop-when-full "" --print-config
try tt-train --freeze "" --print-config
try tt-train --dev a
try tt-train --d-modle 64
try tt-bleu
try tt-bpe
try tt-bpe encod
try tt-bpe frobnicate
try tt-bpe encode --dropuot 0.1 -m x
try tt-bpe encode --queit -m x
try tt-bpe train
try tt-log-plot $'--fr\ob\n'
try tt-translate -m x --beam 2 --beam 3
try tt-train --train a b --train c d
try tt-pe-plot --terminal 25
try tt-export x -o y --to maria
try tt-translate -m x --int8=yes
try tt-bleu -lc=x ref
try tt-bpe encode --quiet=2 -m x
try tt-bleu ref -sv foo
try make -f "$TT_ROOT/data/paper.mk" -s figures BIN=none 2>&1 | grep -o 'There are no .*'
# A file's name is shown on one line, and does nothing to a terminal.
tt-bleu $'no such\nfile\e[31m\302\2331m' </dev/null || true
