# The paper's tables and figures at the smallest sizes: every target gives a table, a picture and verdicts; none of it is made again, and one
# more row is all that a longer table costs. The numbers mean nothing here.
set -e
. "$TT_ROOT/tests/cli/paper.bash"
run table1 | sed -E 's/(; time ~).*/\1 .../; s/ (at no|from n).*/ .../; s/n <= d: .*/n <= d: .../'
cut -f 1,2,3,7,8 out/table1.tsv | sed -n '1,3p;$p'
run table2 | sed -E 's/\t.*//; s/^(table 2, .*): .*/\1: .../'
head -n 1 out/table2.tsv
awk -F '\t' '$1 ~ /^base/ { print $1, $2, $3, $NF; if (NF != 11) print NF " fields" }' out/table2.tsv
run table3 | sed -E 's/\t.*//; s/^(table 3, .*): .*/\1: .../'
cut -f 1,11 out/table3.tsv
run table4 | sed -E 's/\t.*//; s/^(table 4, .*): .*/\1: .../'
run lengths | sed -E 's/\t.*//; s/: .*/: .../' | sed '2,$!b; /^[0-9]/d'
short=(extrapolate SEEDS=1 EXTRAPOLATE='base short-base short-learned' SHORT=8)
(run "${short[@]}" 2>&1) | grep 'no two groups'
run "${short[@]}" SHORT_STEP=9 | sed -E 's/\t.*//; s/: .*/: .../'
wc -l <out/short.en; paste out/short.en out/toy/train.en | awk -F '\t' '{ if (split($1, w, " ") > 8) print "too long: " $1 }'
run figures | sed -E 's/\t.*//; s/^(figures, (the product|masked)[^:]*: (not )?found).*/\1/; t; s/^(figures, [^:]*): .*/\1: .../'
for f in out/*.svg; do head -c 5 "$f" >/dev/null && echo "${f#out/}: $(grep -c '<svg' "$f")"; done
find out -newer out/table1.tsv -name model.tt | sort >before
stat -c '%n %y' out/*.tsv out/*.svg >first
run table1 table2 table3 table4 lengths figures >/dev/null
stat -c '%n %y' out/*.tsv out/*.svg | cmp - first && echo 'nothing was made again'
run table1 LAYERS='--lengths 8,16 --widths 16,32 --seconds 0.0001' >/dev/null; grep -c ^recurrent out/table1.tsv
# With other settings it is.
cp out/trees/runs/parse@1/model.tt trained.tt
run table4 TREE_TRAINING='--embeddings target --save-every 2 --tokens 256 --tokenize none --max-length 512 --extra-length 5 --rate 0.5' >/dev/null
cmp -s trained.tt out/trees/runs/parse@1/model.tt || echo 'another rate trained anew'
run table4 TREE_SIZE=61 >/dev/null; wc -l <out/trees/train.mrg; ls out/trees/runs/parse@1
(run table4 TABLE4=other 2>&1) | sed 's/:[0-9]*:/:/'
run table3 TABLE3='base heads-1 dropout-0 learned dk-8' | sed -E 's/\t.*//; s/^(table 3, .*): .*/\1: .../'
find out -newer out/table1.tsv -name model.tt | sort | comm -13 before -
# A line without a word has no attention, and lines of a word have no order.
printf '\n' >>out/toy/dev.en; printf '\n' >>out/toy/dev.ja
run figures FIGURE_LINES=0 | grep -c '^figures, '
