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
call() { sh translate-folder folder "$@" 2>told; echo "exit status $?, told: $(cat told)"; }
call
cmp odd.expected folder/out/odd.txt && cmp big.txt folder/failed/odd.txt && cat folder/failed/odd.txt.message
# A model that is missing: the file stays, and is translated when the model is there again.
mv folder/model.tt model.tt; cp odd.txt folder/in/later.txt
call; call; cp odd.txt folder/model.tt; call
mv model.tt folder/model.tt
sh translate-folder folder
echo "exit status $?"
cmp odd.expected folder/out/later.txt && echo "translated later"
# Compressed text has other lines. What was translated before a kill counts in the numbers of lines.
gzip <odd.txt >folder/in/packed.txt; call
{ cat odd.txt; cat big.txt; } >folder/in/two.txt; head -n 3 odd.expected >folder/work/two.txt
sh translate-folder folder; echo "exit status $?"
tail -n 4 folder/log | sed 's/^[0-9: -]*//'

# Options concern all files, and no file is moved for them.
cp odd.txt folder/in/kept; call --nonsense; ls folder/in; rm folder/in/kept
# What is no text goes out of the way, with the reason, and is told once. A file may have any name.
head -c 3000 /dev/urandom >folder/in/bytes; printf '%%PDF-1.7\n%%\xe2\xe3\xcf\xd3\n1 0 obj\n' >folder/in/a.pdf
printf '\n <!DOCTYPE html>\n<p>A dog.\n' >folder/in/page.html; printf 'Die B\xe4ume\nTsch\xfc\xdf\n' >folder/in/latin1
bzip2 <odd.txt >folder/in/odd.bz2; ln -s ../../odd.txt folder/in/link; ln -s nowhere folder/in/broken; mkdir folder/in/sub; mkfifo folder/in/pipe
head -n 2 big.txt >'folder/in/*'; head -n 2 big.txt >'folder/in/-n a "name"'
call | sed -E 's/bytes: .* lines are not/bytes: lines are not/'; call
(cd folder/failed && for file in *.message; do [ "$file" = bytes.message ] || { printf '%s ' "$file"; cat "$file"; }; done; stat -c '%F %n' *[!e] | sort)
head -n 2 big.expected | cmp - 'folder/out/*' && head -n 2 big.expected | cmp - 'folder/out/-n a "name"' && ls folder/in folder/work
# A name that failed before has a number.
mkdir folder/in/sub; call; ls -d folder/failed/sub*
# Killed behind the move to another file system, or in it.
mv 'folder/out/*' folder/out/.part; head -c 9 folder/out/odd.txt >folder/out/.part/odd.txt; mv folder/out/odd.txt folder/work/odd.txt
call; head -n 2 big.expected | cmp - 'folder/out/*' && cmp odd.expected folder/out/odd.txt && ls -A folder/out/.part folder/work
# Another number of lines, twice.
head -n 2 big.txt >folder/in/list; call --n-best 2; call --n-best 2; call
