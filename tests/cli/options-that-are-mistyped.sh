# Unknown words are named, with a suggestion if there is a similar one; missing arguments are named as users see them.
. "$TT_ROOT/tests/cli/refused.bash"
refused tt-translate --bem 4
refused tt-translate --bem=4
refused tt-translate --baem
refused tt-translate --max-lenght 3
refused tt-translate --vocab
refused tt-translate -x
refused tt-translate -xyz
refused tt-translate -qx
refused tt-translate a b
refused tt-translate --
refused tt-translate --beam
refused tt-translate --beam=
refused tt-translate -m none --beam --alpha 1
refused tt-translate -m x --output= y
refused tt-translate -m
refused tt-translate -m x --score a --score b
refused tt-translate -m x --n-best 5 --beam 8 --beam 3
refused tt-translate -m x --from ""
refused tt-train --train a b --subword x --subword y z
refused tt-translate -m x --int8=yes
refused tt-translate -m x --int8=
refused tt-bpe
refused tt-bpe encod
refused tt-bpe frobnicate
refused tt-bpe train
refused tt-bpe train --vocab-size= 300 x
refused tt-bpe encode --dropuot 0.1 -m x
refused tt-bpe encode --queit -m x
refused tt-bpe encode --quiet=2 -m x
refused tt-bpe encode -m x one two
refused tt-bpe vocab --ids -m x
refused tt-train
refused tt-train a.en a.de
refused tt-train a.tsv
refused tt-train -- -a $'b\e'
refused tt-train --train a b -o run c
refused tt-train a b c d e
refused tt-train --train a b
refused tt-train --stop-when-full= --print-config
refused tt-train --stop-when-full "" --print-config
refused tt-train --stop-when-full maybe --print-config
refused tt-train --freeze "" --print-config
refused tt-train --dev a
refused tt-train --dev a --seed 1
refused tt-train --mix a b
refused tt-train --d-modle 64
refused tt-train --train a b --train c d
refused tt-train --memory 1G --tokens 5
refused tt-bleu
refused tt-bleu -lc=x ref
refused tt-bleu ref -sv foo
refused tt-bleu ref -f xml
refused tt-average
refused tt-average -o m.tt
refused tt-average a.tt
refused tt-average -o m.tt --last 0 .
refused tt-average -o m.tt --last x .
refused tt-average -o m.tt --last 1 --best 1 .
refused tt-average --frob
refused tt-export x -o - --to marian
refused tt-export x -o y --to maria
refused tt-pe-plot --terminal 25
refused tt-pe-plot --side encoder
refused tt-log-plot $'--fr\ob\n'
refused tt-tree score
refused tt-tree linear --tags --words
refused tt-model tensor -m x
refused tt-model config x
refused tt-translate -m '{}' --int8={}
refused tt-translate -m --beam=
refused tt-bleu ref -i a -1
refused tt-bpe encode -m x --byte-fallback
refused tt-bpe encode -m x -- -q -m
refused tt-bpe encode -m x ++ more
refused tt-bpe encode -m x encode train
refused tt-bpe --train.output=x
refused tt-train --subword a b c --print-config
refused tt-train --mix a --seed 3
# Values are taken as they are, and behind -- all words are operands, also behind a list of values.
for file in '[a,b]' '[[cc]]' '{}' ++ -ref; do echo "a b c d $file" >"$file"; done
tt-bleu -f tsv -i '[a,b]' '[[cc]]' {} ++ -- -ref
tt-bleu -f tsv -i [[cc]] ++ '[[cc]]'
echo "# TT_MODEL=none"; TT_MODEL=none refused tt-translate
echo "# TT_MODEL="; TT_MODEL= refused tt-translate
# A command has help of its own.
for words in 'train --oops' '--oops train' 'train --lines x' 'tain' 'train -m'; do tt-bpe $words 2>&1 | tail -n 1; done
make -f "$TT_ROOT/data/paper.mk" -s figures BIN=none 2>&1 | grep -o 'There are no .*'
# A file's name is shown on one line, and does nothing to a terminal.
refused tt-bleu $'no such\nfile\e[31m\302\2331m' | tail -n 1
# The help of -h and --help does not depend on what stands behind them, nor on what is missing.
for help in -h --help; do tt-bpe train $help --frob | head -n 1; done
tt-translate --version | head -n 1 | sed 's/ .*//'
