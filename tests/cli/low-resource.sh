# The table of little text: each row with each seed, once; what is translated back has its tag. Models of a few updates represent all.
table() { make -s -C "$TT_ROOT" -f data/low-resource.mk CORPUS=toy BIN="$BUILD" OUT="$PWD/out" THREADS=1 SEEDS="1 2" "$@" 2>log || { cat log >&2; exit 1; }; }
rows="bpe-450 unigram-450 dropout-450 sampled-450 back-450"
table ROWS="$rows" | awk -F '\t' 'NR == 1 { print; next } { print $1, ($2 >= 0), ($3 >= 0), ($4 >= 0), ($5 >= 0), $6 }'
head -c 5 out/table.svg; echo
for r in $rows; do tt-model config -m "out/$r@2/model.tt" | grep -E '"(subword_dropout|subword_alpha|seed)"' | tr -d '\n'; echo; done
for part in dev test; do for side in en ja; do cmp out/text/$part.$side out/corpus/$part.$side && echo "$part.$side is that of the corpus"; done; done
wc -l <out/text/train.en; wc -l <out/text/other; grep -c '^<BT> ' out/back-450-text/train.en
find out -name '*.tt' -printf '%p %T@\n' | sort >before; table ROWS="$rows" >/dev/null; find out -name '*.tt' -printf '%p %T@\n' | sort | cmp - before &&
  echo "nothing is made again"
table ROWS=bpe-450 MORE="--dropout 0.3" >/dev/null; find out -name '*.tt' -printf '%p %T@\n' | sort | comm -13 before - |
  sed -nE 's/^out\/([^ ]*\/model.tt) .*/\1/p'
try() { (table "$@") 2>&1 | sed -nE 's/^.*\*\*\* //p' | grep -v Error; }
try ROWS=word-450; try ROWS=; try PAIRS=x; try UPDATES=0; try DATA=out/corpus
(table ROWS=bpe-450 PAIRS=500) 2>&1 | grep -o 'has 400 lines.*'; (table ROWS=back-450 PAIRS=400) 2>&1 | grep -o 'leaves no text.*'
echo "All rows by themselves"; make -s -n -C "$TT_ROOT" -f data/low-resource.mk CORPUS=toy BIN="$BUILD" OUT="$PWD/out" 2>/dev/null |
  grep -oE '[a-z]+-400@[0-9]' | sort -u | paste -s -d ' '
