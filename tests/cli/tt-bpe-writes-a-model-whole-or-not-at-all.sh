# Failed training keeps the existing model; a full disk gives a one-line error, a closed pipe gives none.
. "$TT_ROOT/tests/cli/bpe.bash"
echo precious >bpe.model
lines 600 >text
tt-bpe train -q --vocab-size 100000 -o bpe.model text; echo "exit status $?"
tt-bpe train -q --vocab-size 100 -o bpe.model text missing; echo "exit status $?"
printf 'good\nnot \377 good\n' >damaged
tt-bpe train -q --vocab-size 100 -o bpe.model text damaged; echo "exit status $?"
tt-bpe train -q --vocab-size 100 -o none/bpe.model text; echo "exit status $?"
cat bpe.model
ls
tt-bpe train -q --vocab-size 100 -o bpe.model text
tt-bpe encode -q -m bpe.model text >/dev/full; echo "exit status $?"
tt-bpe vocab -m bpe.model >/dev/full; echo "exit status $?"
yes 'the old mill' | tt-bpe encode -q -m bpe.model | head -n 1
