# Kept text comes through byte for byte, a glossary's terms are in the translation, and those that cannot be are reported.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 60
mv run/update-0000060.tt model.tt
t() { tt-translate -q -m model.tt --extra-length 10 "$@"; }
cat >in <<'END'
The dog eats.
See https://example.org/a?b=c_d today.
Ask a.b@example.org.
Tom has 1,234 books.
Take <keep>Ω &amp; co</keep> and <keep>x</keep>.
The cat sleeps.
END
t --keep marked,urls,emails,numbers <in >out 2>err; echo "exit status $?"; cat err
wc -l <out | named "lines"
grep -cF -e https://example.org/a?b=c_d -e a.b@example.org -e 1,234 -e 'Ω &amp; co' out | named "lines with what was kept"
t --keep numbers <in 2>/dev/null | sed -n '1p;6p' | cmp - <(t <in 2>/dev/null | sed -n '1p;6p') && echo "other lines are as without"
printf 'cat\t猫が\t犬は\ndog\t猫は\nno tab\nTom\t☃\n' >terms
t --glossary terms <in >out 2>err; echo "exit status $?"; cat err
sed -n '1p;6p' out | grep -c -e 猫は -e 猫が -e 犬は | named "lines with a term"
# Comments are no terms; where case is ignored, one in capitals is found, and its translation is as the glossary has it.
printf '# animals\n#\ncat\t本を\n\\# 1\t犬は\n' >commented
echo 'THE CAT AND # 1' >capitals
t --glossary commented capitals 2>err >out; echo "exit status $?"; grep -c 犬は out | named "lines with a term that has a #"; grep -c 本を out |
  named "lines with a term of other case"
t --glossary commented --ignore-case capitals 2>err >out; grep -c 本を out | named "lines with a term where case is ignored"
try t --ignore-case capitals
# Terms of a language without spaces bring none with them.
head -100 corpus/dev.en >many
printf 'cat\t猫が\t犬は\ndog\t猫は\nbook\t図書\ndoctor\t医師\nteacher\t教授\n' >spaceless
t --glossary spaceless <many 2>/dev/null | grep -c '[^ ] [^ ]' | named "lines with a space"
# All that a line lacks is named.
printf 'dog\t☃\ncat\t☂\n' >two
echo '{"text": "the dog and the <keep>☀</keep> cat"}' | t --glossary two --json --keep marked | grep -o '"warning".*'
printf '{"text": "the dog and the <keep>☀</keep> \377"}' | t --glossary two --json --keep tags | grep -o '"warning".*'
# Words behind what is kept, which its pieces do not spell, have weights.
printf 'The <keep>☃☃☃☃☃☃☃☃☃☃</keep> dog <keep>☃</keep>.\n' | t --keep marked --alignment soft >kept
cut -f 2 kept | grep -cE '(^| )0(,0)*( |$)' | named "kept lines with a word without weight"
# Translations that are scored may have any spaces.
echo 'the dog and the cat' >source; echo '猫は 犬を 見た' >spaced; echo '猫は     犬を   見た' >wide
for kind in hard soft; do for given in spaced wide; do t --score $given --alignment $kind source | cut -f 2; done | uniq | wc -l |
  named "different $kind alignments"
done
awk 'BEGIN { for (i = 0; i < 12000; ++i) printf "%c ", 97 + i % 26; print "" }' >long
t --score long --alignment hard long; t --attention weights long | wc -l | named "lines"; grep -o '"attention":.*' weights
# Terms that cannot be spelt change nothing but the exit status.
printf 'Tom\t☃\n' >unspelt
t --glossary unspelt <in 2>/dev/null | cmp - <(t <in 2>/dev/null) && echo "as without the term"
# Every word of a translation has weights, also where a piece is several of them.
t --alignment soft <in 2>/dev/null | cut -f 2 | grep -cE '(^| )0(,0)*( |$)' | named "lines with a word without weight"
# Heads are those that were chosen, and their mean counts; without a choice those of the upper half of the layers.
quick_train -q -o deep --decoder-layers 2 --max-updates 5
u() { tt-translate -q -m deep/update-0000005.tt --extra-length 10 --alignment soft "$@" <in 2>/dev/null | cut -f 2; }
u >all; [ -s all ] || exit 1
u --alignment-heads 2 | cmp - all && u --alignment-heads 2.1,2.2 | cmp - all && echo "those of the upper layer"
u --alignment-heads 1 | cmp -s - all || echo "those of the lower are others"
for heads in 1.1 2.2 1.1,2.2; do u --alignment-heads $heads | tr -s ', ' '\n' >$heads; done
paste -d ' ' 1.1 2.2 1.1,2.2 |
  awk '{ d = ($1 + $2) / 2 - $3; bad += d > 5e-3 || d < -5e-3; other += $1 - $2 > 0.05 }
       END { print "numbers that are no mean of two heads:", bad + 0; print "heads that differ:", (other > 0 ? "yes" : "no") }'
try t --keep words
try t --glossary none <in
t --glossary terms --keep numbers --threads 2 --batch-tokens 1 <in 2>/dev/null | cmp - <(t --glossary terms --keep numbers <in 2>/dev/null) && echo same
# A long stretch is kept whole, where it stands; a translation that is too long is reported.
url=http://example.org/$(seq -s / 300)
echo "See $url today." | t --keep urls >long; grep -cF "$url" long | named "lines with the long stretch"; tr -d '\n' <long | wc -c |
  awk -v n=${#url} '{ print ($1 < n + 200) }' | named "is its length that of the stretch and a sentence"
echo "See $url today." | t --keep urls --alignment hard | cut -f 2 | grep -c -- - | named "lines with an alignment"
printf 'dog\t%s\n' "$(yes '猫は' | head -n 900 | tr -d '\n')" >endless
t --glossary endless 2>&1 <<<'the dog' >/dev/null; echo "exit status $?"
