# Pairs are kept in their order, in the form in which they were read; those that are dropped are counted, and written with their reason.
printf 'a dog\tein Hund\nLinux\tLinux\n2012\t2013\na dog\tein Hund\nA dog!\tEin Hund!\n\tnichts\na cat\teine Katze\n' >pairs.tsv
tt-clean pairs.tsv 2>&1
echo "exit status $?"
tt-clean -q --dropped why -o kept.tsv pairs.tsv && cat kept.tsv why
cut -f 1 pairs.tsv >raw.en; cut -f 2 pairs.tsv >raw.de
tt-clean -q -o clean.en -o clean.de raw.en raw.de && paste clean.en clean.de | cmp - kept.tsv
gzip -c raw.en | tt-clean -q -o clean.en -o clean.de - raw.de && paste clean.en clean.de | cmp - kept.tsv
tt-clean --identical 2 --numbers off --duplicates exact <pairs.tsv
printf 'a dog\tein Hund\na dog \tein Hund\r\na dog\302\240\tein Hund\n' | tt-clean --duplicates exact
tt-clean --only empty pairs.tsv
echo "What each rule would drop by itself"
tt-clean --dry-run pairs.tsv
tt-clean --dry-run --only duplicates - <pairs.tsv | head -n 1
tt-clean --dry-run raw.en raw.de | cmp - <(tt-clean --dry-run pairs.tsv)
echo "Texts held out, scripts"
printf 'EINE Katze...\n\n' >test.de
tt-clean --held-out test.de --only held-out-text pairs.tsv
printf 'linux\teine katze\n' | tt-clean --held-out - --only held-out-text pairs.tsv
printf 'große Straße\nÄrger: $5\n' >test.de
printf 'a\tGROSSE STRASSE!\nb\tA\314\210RGER  $5\nc\tÄrger: €5\nd\tArger $5\n' | tt-clean --held-out test.de --only held-out-text
printf 'a dog\tсобака\na cat\tkoshka\n' | tt-clean --languages en,ru 2>&1
for code in cmn sh pnb; do printf 'a dog\t小狗\na dog\tpsić\na dog\tکتا\n' | tt-clean -q --languages en,$code 2>/dev/null; done
printf '10,000 yen\t１００００円\n%%s of %%s\t%%2$s の %%1$s\n' | tt-clean --languages en,ja
echo "Line ends and tabs stay"
printf 'a\tb\r\n' | tt-clean | od -c | head -n 1
printf 'a\tdog\r' >one; printf 'ein\t\tHund' >other
tt-clean -o 1 -o 2 one other && od -c 1 && cat 2
printf 'no tabs\nlinux\t1\n1\t2\nC:\\n\n\377\n' >one; printf 'no\nlinux\t1\n1\t2\tnichts\nC:\\n\r\n-\n' >other
tt-clean -q --dropped why -o 1 -o 2 one other; cat why
awk -F '\t' 'NF != 4' why | wc -l | named "lines of what is dropped without four fields"
echo "Damaged input: the lines before it are written, but to no file that is whole"
seq 20000 | sed 's/.*/dog & ran\tHund & rannte/' >whole; cut -f 2 whole >whole.de
gzip -c whole | head -c 30000 >cut.gz
tt-clean cut.gz 2>err >some; echo "exit status $?"; read=$(sed 's/.* after line \([0-9]*\);.*/\1/' err)
[ "$read" -gt 1000 ] && [ "$read" -lt 20000 ] && head -n "$read" whole | cmp - some && echo "lines before: all"
tt-clean -o new --dropped dropped cut.gz 2>/dev/null; echo "exit status $?"; ls new 2>/dev/null
{ cat whole; echo 'no pair'; } | tt-clean 2>/dev/null | cmp - whole && echo "lines before: all"
echo "No pairs"
tt-clean </dev/null
printf '\t\n' | tt-clean
echo "exit status $?"
echo "Memory that is full"
seq 2000 | sed 's/.*/a & &/; s/ /\t/' >many
(cat many many) | tt-clean -q --only duplicates --memory 1 2>&1 >/dev/null; echo "exit status $?"
seq 90000 | sed 's/.*/a & &/; s/ /\t/' >many
(cat many many) | tt-clean -q --only duplicates --memory 1 2>&1 | tail -n 3 | cut -c 1-150; echo "exit status ${PIPESTATUS[1]}"
