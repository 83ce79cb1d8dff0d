# Long tasks draw a progress bar on a terminal, but not if data go to the same terminal, not in a file, and not with --quiet.
. "$TT_ROOT/tests/cli/train.bash"
command -v script >/dev/null || { echo "no script(1)" >&2; exit 77; }
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "no pseudo-terminals here" >&2; exit 77; }
prepare >/dev/null
toy -q --train 20000 --dev 0 --test 0 big
for i in {1..40}; do cat big/train.en; done >bigger
head -n 20000 big/train.en >some
export TERM=xterm LC_ALL=C.UTF-8
terminal() { script -qec "$1" /dev/null </dev/null | tr '\r' '\n' >shown; }
# The words that a bar began with, whether it told how much is left, and what stayed on the screen.
bars() { echo "$1: $(grep -oE '(training|merging|pruning|encoding|translating)  .*[0-9]+ %  [0-9.,]+ [a-z]+/s  [0-9:]+ left' shown | sed 's/ .*//' | sort -u |
  tr '\n' ' ')"; }
train="tt-train $(echo $quick) --train corpus/train.en corpus/train.ja --subword subword.model"
terminal "$train --max-updates 300 -o run"; bars "tt-train"
grep -c 'update 100 ' shown
terminal "$train --max-updates 0 --max-epochs 30 -o epochs"; bars "tt-train by epochs"
terminal "$train --max-updates 300 -o quiet -q"; bars "tt-train -q"; wc -c <shown
watch() { # a program's name, and its command
  terminal "$2 >out"; bars "$1 to a file"
  terminal "$2"; bars "$1 to the terminal"
  terminal "$2 -q >out"; bars "$1 -q"; grep -v 'does not know' shown | tr -d '\n' | wc -c
}
watch "tt-bpe encode" "tt-bpe encode -m subword.model bigger"
watch "tt-bpe train" "tt-bpe train --vocab-size 6000 -o merged big/train.en big/train.ja"
watch "tt-translate" "tt-translate -m run/update-0000300.tt --beam 1 <some"
terminal "tt-translate -m run/update-0000300.tt --beam 1 -o /dev/tty some >out"; bars "tt-translate -o to the terminal"
terminal "tt-translate -m run/update-0000300.tt --beam 1 -o out some"; bars "tt-translate -o to a file"
terminal "env TERM=dumb tt-bpe encode -m subword.model bigger >out"; bars "on a dumb terminal"
terminal "env LC_ALL=C tt-bpe encode -m subword.model bigger >out"; bars "in ASCII"; LC_ALL=C grep -c '[^ -~]█' shown
# Elsewhere there are lines only.
tt-bpe encode --cost -m subword.model some 2>&1 >out | tr '\r' '\n' | sed 's/[0-9].*//'
