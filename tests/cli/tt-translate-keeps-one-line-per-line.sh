# One line out for each line in, whatever their contents; degraded lines are reported with their numbers, and the exit status is 3.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 20
tt-average -q -o model.tt run/update-0000020.tt
t="tt-translate -m model.tt --extra-length 5"
printf '' | $t -q | wc -l
printf '\n\n' | $t -q | od -An -c
printf 'the dog\r\n\xe2\x80\xa8x\xc2\x85y\0z\n\n \nno end' | $t -q 2>err | wc -l
echo "status ${PIPESTATUS[1]}"
printf 'fine\nbad \xff byte\nfine\n' | $t -q >out 2>err
echo "status $?, $(wc -l <out) lines"
cat err
{ printf 'fine\nbad \xff byte\n'; yes 'the dog eats' | head -n 50 | tr '\n' ' '; printf '\nbad \xff\nbad \xff\n'; } | $t -q --max-length 10 >out 2>err
echo "status $?, $(wc -l <out) lines"
cat err
{ yes 'the dog eats' | head -n 3000 | tr '\n' ' '; echo; echo end; } | $t --max-length 100 -q >out 2>err
echo "status $?, $(wc -l <out) lines"
cat err
# A line that is too long is cut between its sentences.
head -n 2 corpus/test.en >two
pieces=$(tr '\n' ' ' <two | tt-bpe encode -q -m subword.model | wc -w)
tr '\n' ' ' <two | $t -q --max-length $((pieces - 1)) 2>/dev/null >together
$t -q <two | paste -sd ' ' | cmp - together && echo 'sentence by sentence'
# Batches and threads change nothing.
cat corpus/test.en corpus/dev.en corpus/test.en >many
$t -q --threads 1 --batch-tokens 1 <many >alone
$t -q --threads 2 <many | cmp - alone && echo same
while IFS= read -r line; do printf '%s\n' "$line" | $t -q; done < <(head -n 8 many) | cmp - <(head -n 8 alone) && echo same
# An answer comes before the next question.
mkfifo questions answers
$t -q <questions >answers &
exec 3>questions 4<answers
for i in 1 2 3; do sed -n "${i}p" many >&3; IFS= read -r -t 20 answer <&4 && echo answered; done
exec 3>&- 4<&-
wait
# Where the time went.
head -n 3 many | $t --profile 2>&1 >/dev/null | grep -oE ': (kernel|row_product|best_of|all else) ' | sort
