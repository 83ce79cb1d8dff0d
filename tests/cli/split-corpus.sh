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
for l in en ja; do for pair in 'train dev' 'train test' 'dev test'; do set -- $pair; comm -12 <(sentences $1.$l) <(sentences $2.$l); done; done | wc -l | named "sentences in two parts"
paste <(cat train.en dev.en test.en) <(cat train.ja dev.ja test.ja) | sort | cmp - <(paste corpus.en <(gzip -dc corpus.ja) | grep -av "^ *$(printf '\t')" | sort -u) && echo 'every pair, once'
grep -nxFf dev.en corpus.en | cut -d : -f 1 | awk '$1 > 1900 { last = 1 } NR == 1 && $1 < 700 { first = 1 } END { print first + last }' | named "ends of the corpus that the parts reach"
split corpus.en corpus.ja.gz 200 100
rm train.* dev.* test.*
head -n 5 corpus.en >short.en; split short.en corpus.ja.gz 2 2; split corpus.en corpus.ja.gz 5000 1; split corpus.en corpus.en 1 1; split a.en b.ja 1 1; split corpus.en corpus.ja.gz many 1; ls
