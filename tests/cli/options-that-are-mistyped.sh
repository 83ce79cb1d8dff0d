# A word that no program knows is named, with what it was probably meant to be if that is near; what is missing is named as users see it.
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
