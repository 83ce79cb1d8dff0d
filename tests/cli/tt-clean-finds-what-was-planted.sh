# Of 1,500 pairs of the embedded corpus, of which a tenth is spoilt for each kind of noise, the noise is found and the pairs stay.
toy -q --train 1500 --dev 1 --test 1 .
tt-clean -q -o en -o ja train.en train.ja 2>/dev/null
"$TT_ROOT/data/plant-noise" en ja >noisy.tsv 2>kinds
"$TT_ROOT/data/plant-noise" en ja 2>&1 >/dev/null | cmp - kinds
tt-clean --languages en,ja --dropped dropped noisy.tsv >clean.tsv 2>summary
awk 'NR == FNR { dropped[$1]; next }
     { ++n[$0]; found[$0] += FNR in dropped }
     END { for (kind in n) {
             share = found[kind] / n[kind]
             if (kind == "good") good = share; else { ++kinds; noise += found[kind]; all += n[kind] }
             if (kind != "good" && (share < 0.95 || n[kind] < 30)) print kind, n[kind], share
           }
           print kinds, "kinds;", (good <= 0.005 ? "99.5 % of the pairs stay" : good " of the pairs are lost"), (noise > 0.95 * all)
           print (noise > 0.95 * (noise + good * n["good"]) ? "precision" : "no precision") }' dropped kinds
# Each kind has its rule.
for rule in empty stray mojibake identical length repetition letters-apart words-glued mixed-scripts script numbers placeholders escapes addresses markup \
  duplicates; do
  awk -F '\t' -v rule=$rule 'NR == FNR { rules[$1] = $2; next } rules[FNR] == rule { ++n[$1] }
       END { for (kind in n) if (n[kind] > most) { most = n[kind]; name = kind } print rule ":", name }' dropped kinds
done
