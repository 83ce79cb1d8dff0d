# --int8 translates much as float32 does; a model stored so is smaller and gives the same text, with any instructions, batch and threads.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 60
tt-average -q -o model.tt --last 3 run
tt-average -q --int8 -o int8.tt --last 3 run
# Eight bits save most of the matrices; most of so small a model is its subword model.
subword=$(stat -c %s subword.model)
[ $((2 * ($(stat -c %s int8.tt) - subword))) -lt $(($(stat -c %s model.tt) - subword)) ] && echo smaller
toy -q --train 10 --dev 10 --test 2000 more 2>/dev/null
head -n 2000 more/test.en >lines
t="tt-translate -q --extra-length 5"
$t -m model.tt <lines >plain
$t -m model.tt --int8 <lines >eight
same=$(paste -d '\n' plain eight | awk 'NR % 2 { x = $0; next } x == $0 { n++ } END { print n + 0 }')
[ "$same" -gt 1000 ] && [ "$(wc -l <eight)" = 2000 ] && echo "most lines are those of float32"
$t -m int8.tt <lines | cmp - eight && echo stored
$t -m int8.tt --threads 1 --batch-tokens 1 < <(head -n 300 lines) | cmp - <(head -n 300 eight) && echo 'line by line'
$t -m int8.tt --threads 2 --batch-tokens 300 <lines | cmp - eight && echo 'in batches'
for name in any avx2; do
  TT_INSTRUCTIONS=$name $t -m int8.tt < <(head -n 300 lines) | cmp - <(head -n 300 eight) && echo "with $name"
done
TT_INSTRUCTIONS=emulated-amx $t -m int8.tt < <(head -n 40 lines) | cmp - <(head -n 40 eight) && echo 'by tiles'
head -n 300 lines >source; head -n 300 plain >reference; head -n 300 eight >other
tt-translate -q --extra-length 5 -m model.tt --compare-precision reference --threads 2 <source >compared
sed -E 's/^ *([0-9.]+)  /\1 /; 2,$s/^[0-9.]+ /X /' compared
[ "$(sed -nE '2s/^ *([0-9.]+) .*/\1/p' compared)" = "$(tt-bleu -q -b -w 2 --tokenize char reference <other)" ] && echo 'as tt-bleu has it'
head -n 1 reference >one
printf 'a \377 b\n' | tt-translate -q -m model.tt --compare-precision one >/dev/null
echo "status $?"
tt-translate -q -m model.tt --compare-precision reference <lines
echo "status $?"
tt-translate -q -m int8.tt --compare-precision reference <source
echo "status $?"
TT_INSTRUCTIONS=mmx $t -m int8.tt <lines
echo "status $?"
tt-average -q -o mean.tt int8.tt
echo "status $?"
tt-translate -q -m model.tt --int8 --precision bfloat16 <source
echo "status $?"
