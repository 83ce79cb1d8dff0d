# The table of little text: each row with each seed, once; what is translated back has its tag. Models of a few updates represent all.
table() { make -s -C "$TT_ROOT" -f data/low-resource.mk CORPUS=toy BIN="$BUILD" OUT="$PWD/out" THREADS=1 SEEDS="1 2" "$@" 2>log || { cat log >&2; exit 1; }; }
rows="bpe-450 unigram-450 dropout-450 sampled-450 back-450"
table ROWS="$rows" | awk -F '\t' 'NR == 1 { print; next } { print $1, ($2 >= 0), ($3 >= 0), ($4 >= 0), ($5 >= 0), $6 }'
head -c 5 out/table.svg; echo
for r in $rows; do tt-model config -m "out/$r@2/model.tt" | grep -E '"(subword_dropout|subword_alpha|seed)"' | tr -d '\n'; echo; done
wc -l <out/text/train.en; wc -l <out/text/other; grep -c '^<BT> ' out/back-450-text/train.en
find out -name '*.tt' -printf '%p %T@\n' | sort >before; table ROWS="$rows" >/dev/null; find out -name '*.tt' -printf '%p %T@\n' | sort | cmp - before && echo "nothing is made again"
(table ROWS=word-450) 2>&1 | grep -o 'there is no row.*'
