# One output line per input line, in order, for any bytes; degraded lines are reported with their numbers, and the exit status is 3.
. "$TT_ROOT/tests/cli/bpe.bash"
lines 600 | tt-bpe train -q --vocab-size 100 -o bpe.model
{ printf '\n \nmill\r\n\r\na\0b\n\342\200\250x\302\205y\nbad \377 byte\n\355\240\200\n\357\273\277bom\n'
  yes 'mill ' | head -n 100000 | tr -d '\n'; printf '\n'
  head -c 100000 /dev/zero | tr '\0' 'x'; printf '\n<s> </s> <unk>\nlast'; } >odd
for flags in '' --ids --dropout=0.5; do
  tt-bpe encode -q -m bpe.model $flags odd >"out$flags" 2>"err$flags"
  echo "exit status $?, $(wc -l <"out$flags") lines"
  tt-bpe encode -q -m bpe.model $flags --threads 3 odd 2>/dev/null | cmp - "out$flags"
done
cat err
tt-bpe decode -q -m bpe.model odd 2>/dev/null | wc -l
tt-bpe decode -q -m bpe.model --ids out--ids | wc -l
printf '4\n100\n\nx 5' | tt-bpe decode -q -m bpe.model --ids >numbers
echo "exit status $?, $(wc -l <numbers) lines"
: | tt-bpe encode -q -m bpe.model | wc -c
