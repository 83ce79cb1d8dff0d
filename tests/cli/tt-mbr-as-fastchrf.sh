# The expected utilities of lists of our own text, and their order, are those of fastchrf and mbrs.
cd "$TT_ROOT/tests/golden/metrics"
paste -d '\n' own.ref own.hyp own.hyp.1 own.ref.1 own.hyp | awk '{ print int((NR - 1) / 5) " ||| " $0 " ||| Place= " (NR - 1) % 5 " ||| 0" }' >"$OLDPWD/lists"
cd "$OLDPWD"
wc -l <lists
for metric in "chrf" "chrf --aggregate" "chrf++" "chrf++ --aggregate" "bleu" "bleu --aggregate"; do
  tt-mbr --n-best 9 --utility $metric lists >out || exit
  awk -F ' [|][|][|] ' -v OFS='\t' -v metric="$metric" '{ split($(NF - 1), feature, " "); printf "%s\t%d\t%d\t%s\n", metric, $1, feature[2], $NF }' out >ours
  awk -F '\t' -v metric="$metric" '$1 == metric' "$TT_ROOT/tests/golden/metrics/mbr.tsv" >theirs
  # Six digits are written, of which the last may be rounded otherwise.
  paste theirs ours | awk -F '\t' '$2 == $6 && $3 == $7 && ($4 - $8) ^ 2 <= 1e-7 { ++same; next } { print } END { print same " utilities are the same" }' |
    sed "s/^/$metric: /"
done
