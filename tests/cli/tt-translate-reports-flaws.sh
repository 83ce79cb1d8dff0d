# Loops, copies and omissions of translations are reported, each unless it is allowed; --retry looks for another.
. "$TT_ROOT/tests/cli/train.bash"
unset TT_ALLOW
prepare
trained_run 5  # so few updates that it writes the same again and again
cp run/update-0000005.tt model.tt
tt-model show -m model.tt | grep target_text | cut -d ' ' -f 1
head -n 12 corpus/test.en >in
t() { tt-translate -m model.tt --keep numbers in "$@"; }
t --beam 1 --extra-length 30 >out 2>err; echo "exit status $?"
grep -c . out | named lines
sed 's/.*: the/the/; s/ (.*//' err | sort -u
t -q --beam 1 --extra-length 30 --allow loops,copies,script,length,numbers >allowed; echo "exit status $?"; cmp out allowed
t --beam 1 --extra-length 30 --allow copies,script,length,numbers 2>&1 >/dev/null | sed 's/.*: the/the/; s/ (.*//'
t --beam 1 --extra-length 30 --retry >again 2>err; echo "exit status $?"
sed 's/.*: \(a\|the\) /\1 /; s/ (.*//' err | sort -u
grep -c . again | named lines
t --beam 1 --threads 1 --extra-length 30 --retry -q | cmp - again
t -q --format json --features --beam 1 --extra-length 30 | head -n 1 >features
sed 's/,"words".*//' features | tr , '\n' |
  sed 's/: *[-0-9.e]*$//; s/:[-0-9.e]*}*$//' | grep -v 'text\|translation\|warning'
sed 's/.*"words"//; s/\],.*//' features | tr '{,' '\n' | grep -o '^"[a-z]*"' | sort | uniq -c | awk '{ $1 = $1 > 9 ? "of each word:" : $1; print }'
TT_ALLOW=loops,copies,script,length,numbers t -q --beam 1 --extra-length 30 | cmp - out && echo "by the environment"
for wrong in "--allow x" "--retry --score in" "--retry --sample" --features; do tt-translate -m model.tt $wrong </dev/null; echo "exit status $?"; done 2>&1
