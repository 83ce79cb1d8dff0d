# Placeholders of software are in translations, each as often as in the source, and what cannot be is said.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 60
mv run/update-0000060.tt model.tt
t() { tt-translate -q -m model.tt --extra-length 10 --keep placeholders "$@"; }
cat >in <<'END'
%s the dog eats %d books.
The {name} and the {0} sleep.\nThe cat eats %(count)s.
%1$s %2$d%% \"the cat\"
The dog eats.
The cat sees file%d.txt and ${x}.
The dog $name$ sleeps in $folder$.
END
t in >out; echo "exit status $?"
found() { grep -oE '%[0-9$]*[sd%]|\{[a-z0-9]*\}|\\n|%\(count\)s|\\"|\$\{x\}|\$[a-z]+\$' "$1" | sort | uniq -c; }
cmp <(found in) <(found out) && echo "all are there, each as often"
sed -n 1p out | grep -oE '%[sd]' | tr '\n' ' '; echo
sed -n 4p out | cmp - <(tt-translate -q -m model.tt --extra-length 10 <<<'The dog eats.') && echo "other lines are as without"
# Both halves of a line, each by itself, with the escape between them; JSON and columns have it too.
one='The dog eats.' two='The cat sleeps.'
{ t <<<"$one"; t <<<"$two"; } | paste -sd '|' | sed 's/|/\\n/' >halves
t <<<"$one\\n$two" | cmp - halves && echo "parted at the escape"
printf '7\t%s\n' "$one\\n$two" | t --column 2 | cut -f 2 | cmp - halves && echo "in a column"
echo "{\"text\": \"$one\\\\n$two\"}" | t --json | grep -oF "\"translation\":\"$(sed 's/\\/\\\\/' halves)\"" | wc -l | named "replies in JSON"
t --alignment hard <<<"$one\\n$two" | cut -f 2 | tr ' ' '\n' | sed 's/-.*//' | sort -nu | tail -n 1 | grep -c '^[345]$' | named "alignments with words alone"
# Lines that are odd, one reason each.
printf '%s\n' 'The un%sed dog.' 'The %(count of dogs.' 'The {n, plural, one {dog} other {dogs}} eat.' 'The 100%ige dog, 5 % off.' >odd
t odd 2>&1 >out | cut -d : -f 2-; grep -cF '{n, plural, one {dog} other {dogs}}' out | named "lines with the plural form"
# An answer comes at once, line by line.
coproc tt { t 2>/dev/null; }
echo '%d dogs.' >&"${tt[1]}"; read -r -t 20 answer <&"${tt[0]}"; grep -c '%d' <<<"$answer" | named "answers at once"
echo '{name} %s' >&"${tt[1]}"; read -r -t 20 answer <&"${tt[0]}"; echo "$answer"
