# Each mistake gives one line that says what is wrong, where, and what to do.
. "$TT_ROOT/tests/cli/bpe.bash"
try() { "$@" >out; echo "exit status $?, $(wc -c <out) bytes"; }
lines 600 >text
: >empty
tt-bpe train -q --vocab-size 100 -o bpe.model text
head -c 3000 bpe.model >short.model
try tt-bpe train -q --vocab-size 10 -o m text
try tt-bpe train -q -o m empty
try tt-bpe train -q -o m .
try tt-bpe train -q -o m - text -
try tt-bpe train -q --user-symbols '<x>,<x>' -o m text
try tt-bpe train -q --user-symbols '</s>' -o m text
try tt-bpe train -q --user-symbols 'a b' -o m text
try tt-bpe train -q -o m --user-symbols , text
try tt-bpe train -q --longest-line 1 -o m text
try tt-bpe encode -q -m none.model text
try tt-bpe encode -q -m text text
try tt-bpe encode -q -m empty text
try tt-bpe decode -q -m short.model text
try tt-bpe vocab -m short.model
try tt-bpe encode -q -m bpe.model none
cp text same
tt-bpe encode -q -m bpe.model <same >>same
tt-bpe decode -q -m bpe.model same >>same
cmp text same
# Usage
try tt-bpe
try tt-bpe encode text
try tt-bpe train text
try tt-bpe train --type word -o m text
try tt-bpe train --coverage 2 -o m text
try tt-bpe train --normalisation nfd -o m text
try tt-bpe encode -q -m bpe.model --dropout 2 text
try tt-bpe shred
ls
try tt-bpe encode -m - <bpe.model
# Text without text, and characters that the library keeps for itself.
for text in ' \n' '\r\n\r\n' '\u3000\n' '\u2581\n' '\0\n' '\u2585\n'; do printf "$text" >text; try tt-bpe train -q -o none.model text; done
ls none* 2>/dev/null
for i in {1..50}; do printf 'progress \u2585 zebra %d\n' $i; done >text
tt-bpe train -q --vocab-size 40 --coverage 1 -o own.model text; tt-bpe vocab -m own.model | grep -c '[zb]'
# Words that the library's trainers cannot take, and with which they would crash.
word() { awk -v size="$1" 'BEGIN { srand(1); for (i = 0; i < size; i++) printf "%c", 97 + int(8 * rand()); print "" }' | cat same -; }
word 32769 >text
try tt-bpe train -q --longest-line 1000000 --vocab-size 60 -o none.model text
{ cat same; printf '\uFB03%.0s' {1..11000}; echo; } >text  # three characters each
try tt-bpe train -q --longest-line 1000000 --vocab-size 60 --normalisation nmt_nfkc -o none.model text
try tt-bpe train -q --longest-line 1000000 --vocab-size 60 --normalisation identity -o some.model text
word 400000 | try tt-bpe train -q --longest-line 1000000 --vocab-size 60 --type unigram -o none.model 2>err
sed -E 's/(status|signal).*; the/ENDED; the/' err >&2
ls *.model*
