# Pairs are kept in their order, in the form in which they were read; those that are dropped are counted, and written with their reason.
printf 'a dog\tein Hund\nLinux\tLinux\n2012\t2013\na dog\tein Hund\nA dog!\tEin Hund!\n\tnichts\na cat\teine Katze\n' >pairs.tsv
tt-clean pairs.tsv 2>&1
echo "exit status $?"
tt-clean -q --dropped why -o kept.tsv pairs.tsv && cat kept.tsv why
cut -f 1 pairs.tsv >raw.en; cut -f 2 pairs.tsv >raw.de
tt-clean -q -o clean.en -o clean.de raw.en raw.de && paste clean.en clean.de | cmp - kept.tsv
gzip -c raw.en | tt-clean -q -o clean.en -o clean.de - raw.de && paste clean.en clean.de | cmp - kept.tsv
tt-clean --identical 2 --numbers off --duplicates exact <pairs.tsv
tt-clean --only empty pairs.tsv
echo "What each rule would drop by itself"
tt-clean --dry-run pairs.tsv
tt-clean --dry-run --only duplicates - <pairs.tsv | head -n 1
tt-clean --dry-run raw.en raw.de | cmp - <(tt-clean --dry-run pairs.tsv)
echo "Texts held out, scripts"
printf 'EINE Katze...\n\n' >test.de
tt-clean --held-out test.de --only held-out-text pairs.tsv
printf 'linux\teine katze\n' | tt-clean --held-out - --only held-out-text pairs.tsv
printf 'a dog\tсобака\na cat\tkoshka\n' | tt-clean --languages en,ru 2>&1
echo "Line ends and tabs stay"
printf 'a\tb\r\n' | tt-clean | od -c | head -n 1
printf 'a\tdog\r' >one; printf 'ein\t\tHund' >other
tt-clean -o 1 -o 2 one other && od -c 1 && cat 2
echo "No pairs"
tt-clean </dev/null
printf '\t\n' | tt-clean
echo "exit status $?"
echo "Memory that is full"
seq 2000 | sed 's/.*/a & &/; s/ /\t/' >many
(cat many many) | tt-clean -q --only duplicates --memory 1 2>&1 >/dev/null; echo "exit status $?"
seq 90000 | sed 's/.*/a & &/; s/ /\t/' >many
(cat many many) | tt-clean -q --only duplicates --memory 1 2>&1 | tail -n 3 | cut -c 1-150; echo "exit status ${PIPESTATUS[1]}"
