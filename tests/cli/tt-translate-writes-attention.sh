# Rows of weights sum to one, and there is a line for every line.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 5
{ head -n 2 corpus/test.en; echo; } | tt-translate -q -m run/update-0000005.tt --extra-length 3 --attention cross.jsonl >out
wc -l <cross.jsonl
grep -o '"kind":"[a-z]*"' cross.jsonl | sort | uniq -c | sed 's/^ *//'
head -n 1 corpus/test.en | tt-translate -q -m run/update-0000005.tt --extra-length 3 --attention self.jsonl --self-attention >out
grep -o '"kind":"[a-z]*"' self.jsonl | sort | uniq -c | sed 's/^ *//'
grep -o '"weights":\[\[[^]]*\]' self.jsonl | sed 's/.*\[//; s/\]//' |
  awk -F, '{ s = 0; for (i = 1; i <= NF; i++) s += $i; if (s < 0.999 || s > 1.001) print "a row sums to " s }'
# On stdout it stands instead of the translation.
head -n 2 corpus/test.en | tt-translate -q -m run/update-0000005.tt --extra-length 3 --attention - | cmp - <(head -n 2 cross.jsonl)
echo "exit status ${PIPESTATUS[*]}"
# An unknown piece of the source is shown as the characters it stands for.
echo '☃ Ж' | tt-translate -q -m run/update-0000005.tt --extra-length 3 --attention - | grep -o '"source":\[[^]]*\]'
# A line that is longer than the model has positions for is translated in parts, and has none.
quick_train -q -o few --positions learned --max-length 30 --max-updates 5
{ echo dog; yes 'the dog' | head -n 40 | paste -sd ' '; } |
  tt-translate -q -m few/update-0000005.tt --extra-length 3 --attention cross.jsonl 2>err >out
echo "exit status $?"; sed 's/ than [0-9]*/ than N/' err; wc -l <out; grep -c '"attention":\[\]' cross.jsonl
# Attention is written line by line, as the translation is.
mkfifo lines; tt-translate -q -m run/update-0000005.tt --extra-length 3 --attention - --first-line 7 <lines >answers & exec 3>lines
echo 'the dog' >&3; for i in $(seq 500); do [ -s answers ] && break; sleep 0.02; done; grep -o '"line":[0-9]*' answers; exec 3>&-; wait
