# COMET as the utility: expected utilities and their order are those of mbrs; what it needs and has not is said in a line.
. "$TT_ROOT/tests/cli/refused.bash"
golden=$TT_ROOT/tests/golden/comet
tt-import -q -o comet.tt "$golden/regression"
cd "$TT_ROOT/tests/golden/metrics"
paste -d '\n' own.ref own.hyp own.hyp.1 own.ref.1 own.hyp | awk '{ print int((NR - 1) / 5) " ||| " $0 " ||| Place= " (NR - 1) % 5 " ||| 0" }' >"$OLDPWD/lists"
tac own.hyp >"$OLDPWD/source"
cd "$OLDPWD"
comet() { tt-mbr --utility comet --model comet.tt --source source "$@"; }
for utility in "comet" "comet --aggregate"; do
  comet ${utility#comet} --n-best 9 lists >out || exit
  awk -F ' [|][|][|] ' -v OFS='\t' -v utility="$utility" '{ split($(NF - 1), feature, " "); printf "%s\t%d\t%d\t%s\n", utility, $1, feature[2], $NF }' out >ours
  awk -F '\t' -v utility="$utility" '$1 == utility' "$golden/mbr.tsv" >theirs
  paste theirs ours | awk -F '\t' '$2 == $6 && $3 == $7 && ($4 - $8) ^ 2 <= 2.6e-11 { ++same; next } { print } END { print same " utilities are the same" }' |
    sed "s/^/$utility: /"
done
echo "The same with any number of threads"
comet --n-best 9 --threads 3 lists | cmp - <(comet --n-best 9 --threads 1 lists) && echo "the same"
echo "Pruned, in eight bits, with references of their own, from JSON"
comet --prune 1 lists | cmp - <(comet --aggregate lists) && echo "the best by the mean"
comet --int8 --n-best 1 lists | wc -l
sed 's/Hund/Hut/' lists | comet --references lists --n-best 9 | head -n 1
printf '%s\n' '["Das ist\ngut.", "Das ist gut.", "Gut ist das."]' | tt-mbr --utility comet --model comet.tt --source <(echo gut) --json --n-best 2
tt-import -q -o qe.tt "$golden/referenceless"; tt-import -q -o unified.tt "$golden/unified"
echo "Without references, as a feature"
tt-rerank pairs --source source lists >pairs
cut -f 2 pairs | tt-bleu -q -m comet --model qe.tt --sentence -w 6 --source <(cut -f 1 pairs) >scores
echo 'COMET= 1' >weights
tt-rerank select --weights weights --feature COMET=scores --n-best 1 lists | head -n 2
tt-rerank select --weights weights --feature COMET=scores lists | cmp - <(paste <(cut -d ' ' -f 1 lists) <(cut -f 2 pairs) scores |
  sort -s -t $'\t' -k 1n -k 3gr | awk -F '\t' '$1 != last { print $2; last = $1 }' last=-) && echo "the best of each list"
echo "Refused"
refused tt-mbr --utility comet --source source lists
refused tt-mbr --utility comet --model comet.tt lists
refused tt-mbr --model comet.tt lists
refused tt-mbr --int8 lists
refused tt-mbr --utility comet --model qe.tt --source source lists
refused tt-mbr --utility comet --model unified.tt --source source lists
refused tt-mbr --utility comet --model lists --source source lists
refused tt-mbr --utility comet --model none.tt --source source lists
refused tt-mbr --utility comet --model comet.tt --source - -
