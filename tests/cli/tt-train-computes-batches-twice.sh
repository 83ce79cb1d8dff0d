# --r-drop: twice the tokens, the same bits after an interruption and on more threads, and a change that is reported. An LSTM has none.
. "$TT_ROOT/tests/cli/train.bash"
prepare
run="quick_train -q --report-every 5"
$run --r-drop 5 --threads 2 --max-updates 10 -o whole --log whole.log
$run --r-drop 5 --threads 1 --max-updates 5 -o parts
$run --r-drop 5 --threads 2 --max-updates 10 -o parts
cmp whole/update-0000010.tt parts/update-0000010.tt && echo "the same bits"
$run --max-updates 10 -o once --log once.log
tokens() { sed -nE 's/.*"event":"end".*"tokens":([0-9]+).*/\1/p' "$1"; }
[ "$(tokens whole.log)" = $(($(tokens once.log) * 2)) ] && echo "twice the tokens"
quick_train --max-updates 12 -o parts 2>&1 | grep drop
tt-train -q --preset tiny --type lstm --r-drop 5 --train corpus/train.en corpus/train.ja --subword subword.model -o lstm 2>&1
echo "exit status $?"
