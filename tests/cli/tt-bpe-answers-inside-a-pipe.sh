# The output for a line arrives before the next line is written.
. "$TT_ROOT/tests/cli/bpe.bash"
lines 600 | tt-bpe train -q --vocab-size 100 -o bpe.model
# As for an empty first line.
coproc EMPTY { tt-bpe encode -q -m bpe.model; }
echo >&"${EMPTY[1]}"; read -r -t 60 answer <&"${EMPTY[0]}" && echo "answer: $answer"
exec {EMPTY[1]}>&-; wait $EMPTY_PID
coproc TT { tt-bpe encode -q -m bpe.model --ids | tt-bpe decode -q -m bpe.model --ids; }
for line in 'the old mill' '' 'a small tree'; do
  echo "$line" >&"${TT[1]}"
  read -r -t 60 answer <&"${TT[0]}" || exit
  echo "answer: $answer"
done
