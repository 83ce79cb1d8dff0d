# Tags go where the words went that they enclosed, and none is lost.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 60
mv run/update-0000060.tt model.tt
t() { tt-translate -q -m model.tt --extra-length 5 "$@"; }
h() { t --markup html "$@"; }
tags() { grep -oE '<[!/?a-z][^>]*>' "$1" | sort; }
cat >in <<'END'
<p>The <b>dog</b> eats.</p><p>The <i>big <b>cat</b></i> sleeps.</p>
The <a href="x?a=1&amp;b=2" title='a b'>dog</a> <!-- no --> sees <img src="x"/> the cat.
The dog eats.
<ul><li>The dog</li> <li>&nbsp;</li></ul>
<script>if (a < b) f("</p>")</script>

Use <code>f(x)</code> and the <span translate="no">Big Dog</span> &amp; cat.
END
h in >out 2>err; echo "exit status $?"
cmp <(tags in) <(tags out) && echo "all tags are there, each as often"
wc -l <out | named "lines"
sed -n 3p out | cmp - <(sed -n 3p in | t) && echo "other lines are as without"
sed -n '5,6p' out | cmp - <(sed -n '5,6p' in) && echo "what has no text stays"
grep -c '^<ul><li>.*</li> <li>&nbsp;</li></ul>$' out | named "whole lists"
sed -n 7p out | grep -oE '<code>.*</code>|<span[^>]*>.*</span>' | grep -c -e '<code>f(x)</code>' -e 'no">Big Dog<' | named "elements that are not translated"
# Block tags part sentences.
{ t <<<'The dog eats.'; t <<<'The cat sleeps.'; } | paste -sd '|' | sed 's/|/<br>/' >halves
h <<<'The dog eats.<br>The cat sleeps.' | cmp - halves && echo "parted at the block"
for i in 1 2 3 4 5 6; do cat in; done >many
h many --threads 1 2>/dev/null >one; h many --threads 2 --batch-tokens 1 2>/dev/null | cmp - one && echo "batches and threads change nothing"
# Lists, JSON, columns, sentences, alignments and samples have them too.
h --n-best 2 in 2>/dev/null >list; awk -F ' \\|\\|\\| ' '$1 == 1 { print $2 }' list | grep -c '</a>.*<!-- no -->\|<!-- no -->.*</a>' |
  named "entries of a list with all tags"
echo '{"text": "The <b>dog</b>\n\n<i>sees</i> the cat."}' | h --json 2>/dev/null | grep -o '"translation":.*' | grep -o '<[^>]*>\|\\n' | sort | tr '\n' ' '
echo
printf '7\t<b>The dog</b>\t8\n' | h --column 2 2>/dev/null | grep -c '^7	.*<b>.*</b>.*	8$' | named "columns with tags"
h --sentences en <<<'<b>The dog eats. The</b> cat sleeps.' 2>/dev/null | grep -o '<[^>]*>' | tr '\n' ' '; echo
h --alignment hard <<<'<b>The</b> dog eats.' | cut -f 2 | tr ' ' '\n' | sed 's/-.*//' | sort -nu | tail -n 1 | grep -c '^[012]$' |
  named "alignments with words alone"
h --sample --n-best 3 in 2>/dev/null | cut -d ' ' -f 1 | uniq -c | sed 's/^ *//; s/\(.*\) \(.*\)/\1 samples of line \2/' | paste -sd ,
# Errors are reported, and all else is translated.
printf '%s\n' 'The <b>dog' 'The dog</b> eats' '<i>The <b>dog</i> eats</b>.' 'The <dog eats.' 'The dog.' >wrong
h wrong 2>&1 >out; echo "exit status $?"
cmp <(tags <(head -n 3 wrong)) <(tags <(head -n 3 out)) && echo "no tag is lost"
h --max-length 3 <<<'The <b>big dog</b> and the cat eat.' 2>&1 >out; grep -o '<[^>]*>' out | tr '\n' ' '; echo
for n in 3 4 5 6 7 8; do t --alignment hard --max-length $n <<<'The big dog and the cat eat.' 2>/dev/null | cut -f 2; done | grep -c . |
  named "lines in parts with links"
t --markup xml <<<'<s><p>The</p> <g id="1">dog</g> eats<x/></s>' 2>/dev/null | grep -o '<[^>]*>' | sort | tr '\n' ' '; echo
try t --markup sgml in
try h --keep marked in
try h --score in in
# An answer comes at once, line by line.
coproc tt { h 2>/dev/null; }
for line in '<p>The dog.</p>' 'The <b>cat</b> eats.'; do
  echo "$line" >&"${tt[1]}"; read -r -t 20 answer <&"${tt[0]}"; grep -o '<[^>]*>' <<<"$answer" | tr '\n' ' '; echo
done
