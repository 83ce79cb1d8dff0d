# The script that splits a corpus: no sentence is in two parts, none is lost, and pairs are spread over the corpus.
. "$TT_ROOT/tests/cli/train.bash"
toy -q --train 2000 --dev 0 --test 0 .
# Some sentences come several times, alone or with their translation, or in other letters; and lines that are empty.
{ cat train.en; head -n 200 train.en; head -n 300 train.en | tr a-z A-Z; printf '\n \nlast'; } >corpus.en
{ cat train.ja; head -n 100 train.ja; sed -n '201,300p' train.ja; head -n 300 train.ja; printf 'x\ny\nz'; } >corpus.ja
gzip corpus.ja; rm train.* dev.* test.*
split() { "$TT_ROOT/data/split-corpus" "$@"; echo "exit status $?"; }
split corpus.en corpus.ja.gz 200 100
for file in train.en dev.en test.ja; do wc -l <$file | named $file; done
sentences() { tr A-Z a-z <"$1" | tr -d '[:punct:] ' | sort -u; }
for l in en ja; do for pair in 'train dev' 'train test' 'dev test'; do set -- $pair; comm -12 <(sentences $1.$l) <(sentences $2.$l); done; done | wc -l |
  named "sentences in two parts"
paste <(cat train.en dev.en test.en) <(cat train.ja dev.ja test.ja) | sort |
  cmp - <(paste corpus.en <(gzip -dc corpus.ja) | grep -av "^ *$(printf '\t')" | sort -u) && echo 'every pair, once'
grep -nxFf dev.en corpus.en | cut -d : -f 1 | awk '$1 > 1900 { last = 1 } NR == 1 && $1 < 700 { first = 1 } END { print first + last }' |
  named "ends of the corpus that the parts reach"
split corpus.en corpus.ja.gz 200 100
rm train.* dev.* test.*
head -n 5 corpus.en >short.en; split short.en corpus.ja.gz 2 2; split corpus.en corpus.ja.gz 5000 1; split corpus.en corpus.en 1 1; split a.en b.ja 1 1
split corpus.en corpus.ja.gz many 1; ls

rm *
echo "Whatever the script: no sentence of the first corpus is there once, and all of the second"
printf '%s\n' 'слово номер 1' 'СЛОВО, НОМЕР 1!' 'große Straße' 'GROSSE STRASSE' '猫がいる。' '猫　がいる' '「犬」、ÉTÉ' '犬 été' ΟΔΟΣ οδος '$5' 5 ... ' ...' >alike.x
printf '\351t\351 ÄX\n\351T\351\302\240äx\r\n\377。\n \377\n' >>alike.x
printf '%s\n' слово слова été ete '!' '?' か が >unlike.x
printf '\377\n\376\nÄ\377\nÄ\376' >>unlike.x
for corpus in alike unlike; do
  seq $(grep -ac '' $corpus.x) >$corpus.n
  split $corpus.x $corpus.n 10 10 2>&1; split $corpus.n $corpus.x 10 10 2>&1
done
split unlike.x unlike.n 2 2
paste -d '\n' unlike.x unlike.n | sort | cmp - <(paste -d '\n' <(cat train.x dev.x test.x) <(cat train.n dev.n test.n) | sort) && echo 'every pair, once'
