# A line that is in a memory has the translation that it has there; others are translated.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 5
cp run/update-0000005.tt model.tt
t() { tt-translate -m model.tt "$@"; }
printf 'The dog eats.\tAAA\nthe cat\tBBB\nthe cat\tCCC\nbad\n' >tm.tsv
printf '%s\n' 'The dog eats.' 'the dog eats.' 'the cat' '' >in
t --memory tm.tsv in >out 2>err; echo "exit status $?"; grep -v 'unknown\|know' err
cut -c 1-3 out | grep -n '^[A-C]*$'
cmp <(sed -n 2p out) <(sed -n 2p in | t -q) && echo "another line is translated"
head -n 3 tm.tsv | grep -v cat >one; t -q --memory one <<<"The dog eats."; echo "exit status $?"
t -q --memory one --n-best 2 <<<"The dog eats."
echo '{"id": 1, "text": "The dog eats."}' | t -q --memory one --json
printf '1\tThe dog eats.\t2\n' | t -q --memory one --column 2
t -q --memory one --confidence --alignment hard --markup html --keep numbers --case --sentences en --threads 2 --format json <<<"The dog eats."
: >empty; t -q --memory empty <<<"" ; echo "exit status $?"
gzip -k one
for wrong in one.gz nowhere; do t --memory $wrong in; echo "exit status $?"; done 2>&1
t --memory one --score in in 2>&1 | head -n 1
t --memory one -o one in 2>&1
