# README's commands under "How do I ...", as they stand there but for those that download: a page, a catalogue, and faster translation.
. "$TT_ROOT/tests/cli/train.bash"
prepare
quick_train -q -o run --max-updates 5 --forbid-unknown && mv run/update-0000005.tt model.tt
for side in en ja; do cp corpus/train.$side train.$side; done
mv train.ja train.de
head -n 3 train.en >text.en
printf '<p>The <b>dog</b> eats.</p>\n<p>The cat sleeps.</p>\n' >page.html
printf '%s\n' 'msgid ""' 'msgstr "Content-Type: text/plain; charset=UTF-8\n"' '' '#: a.c:1' 'msgid "_Close it"' 'msgstr ""' >de.po
sed -n '/^## How do I/,/^## Your own text/s/^    //p' "$TT_ROOT/README.md" | grep -v -e '^make' -e '--from eng_Latn' >commands
grep -oE '\btt-[a-z]+( (extract|merge|train))?' commands
bash commands >log 2>&1
status=$?
[ $status = 0 ] || { echo "exit status $status"; cat log; }
grep -c '<p>' page.de.html | named "paragraphs of the page"
grep -c '^#, fuzzy' new.po | named "messages with a new translation"
wc -l <text.de | named "lines of text"
