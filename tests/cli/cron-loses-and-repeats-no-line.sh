# The script for cron: killed repeatedly, it neither loses nor repeats a line, and its log names files and their lines.
. "$TT_ROOT/tests/cli/train.bash"
prepare >/dev/null
trained_run 5 && mkdir -p folder/in && cp run/update-0000005.tt folder/model.tt || exit 1
toy -q --train 4000 --dev 0 --test 0 big
cp "$TT_ROOT/data/translate-folder" .

# Without a folder, or with one that is not there, it makes nothing.
mkdir nowhere
for arguments in '' "''" 'none'; do
  (cd nowhere && eval "sh ../translate-folder $arguments" 2>&1; echo "exit status $?"; ls)
done

# The translations to come out are those of each file at once. Lines of every kind, the last without LF.
cp big/train.en big.txt
{ head -n 5 big/train.en; printf '\n\r\n a\0b \nnot \xff UTF-8\nlast'; } >odd.txt
: >empty.txt
for name in big odd empty; do tt-translate -q -m folder/model.tt $name.txt >$name.expected 2>/dev/null; done
wc -l <big.expected
wc -l <odd.expected

# Files are given by a move. A torn line is no line.
cp big.txt odd.txt empty.txt folder && mv folder/*.txt folder/in
lines() { [ -f folder/work/big.txt ] && wc -l <folder/work/big.txt || echo 0; }
kills=0 before=0
while [ $kills -lt 3 ]; do
  setsid sh translate-folder folder & pid=$!
  disown
  while kill -0 $pid 2>/dev/null && [ "$(lines)" -le "$before" ]; do sleep 0.02; done
  [ $kills -gt 0 ] || sh translate-folder folder  # the lock is held: returns at once, and does nothing
  kill -KILL -- -$pid 2>/dev/null || break
  flock folder/lock true  # until the last of them has gone
  kills=$((kills + 1)) before=$(lines)
  [ "$before" -gt 0 ] && [ "$before" -lt 4000 ] || { echo "killed at line $before: not in the middle"; exit 1; }
  printf 'a torn li' >>folder/work/big.txt
done
echo "killed $kills times"
[ -e folder/out/big.txt ] && echo "a part was published"
sh translate-folder folder
echo "exit status $?"  # a line of odd.txt is not UTF-8
grep -o 'odd.txt:8.*UTF-8' folder/log
for name in big odd empty; do cmp $name.expected folder/out/$name.txt && cmp $name.txt folder/done/$name.txt && echo "$name: every line, once"; done
find folder/in folder/work -type f

# Killed between the move of the source and that of the translation: the next call completes it.
# It is the same file under another name, not a copy that somebody could see half of.
mv folder/out/odd.txt folder/work/odd.txt
inode=$(stat -c %i folder/work/odd.txt)
sh translate-folder folder
echo "exit status $?"
cmp odd.expected folder/out/odd.txt && [ "$(stat -c %i folder/out/odd.txt)" = "$inode" ] && echo "published"
# A name that was there before is refused, and what was written under it stays.
cp big.txt folder/in/odd.txt
sh translate-folder folder
echo "exit status $?"
cmp odd.expected folder/out/odd.txt && cmp big.txt folder/in/odd.txt && echo "kept"
# A model that is missing: the file stays, and is translated when the model is there again.
mv folder/model.tt model.tt; rm folder/in/odd.txt; cp odd.txt folder/in/later.txt
sh translate-folder folder
echo "exit status $?"
mv model.tt folder/model.tt
sh translate-folder folder
echo "exit status $?"
cmp odd.expected folder/out/later.txt && echo "translated later"
# Compressed text has other lines. What was translated before a kill counts in the numbers of lines.
gzip <odd.txt >folder/in/packed.txt; sh translate-folder folder; echo "exit status $?"; rm folder/in/packed.txt
{ cat odd.txt; cat big.txt; } >folder/in/two.txt; head -n 3 odd.expected >folder/work/two.txt
sh translate-folder folder; echo "exit status $?"
tail -n 5 folder/log | sed 's/^[0-9: -]*//'
