# Verdicts of the paper's recipes about tables: found, not found, within the spread, with one seed.
for f in "$TT_ROOT"/data/paper/*.awk; do ln -s "$f" .; done
t() { tr ' ' '\t'; }
claims() { printf '%s\n' 'a is better|a|b' 'b is better|b|a' 'c is better than a|c|a' 'c is no worse|c|a|no worse' 'a is no worse|b|a|no worse' 'not there|a|z'
  }
echo '-- spread over seeds, then one seed, then one row with one seed'
for n in 2 1; do
  awk -v table=t -v better=BLEU -f judge.awk <(claims) <(sed "s/N/$n/; s/$([ $n = 1 ] && echo 0.5 || echo none)/-/" <<'END' | t
row BLEU BLEU+- seeds
a 30.00 0.5 N
b 28.00 0.5 N
c 30.10 0.5 N
END
  )
done
awk -v table=t -v better=BLEU -f judge.awk <(claims) <(printf '%s\n' 'row BLEU BLEU+- seeds' 'a 30 1 3' 'b 28 - 1' 'c 31 - 1' | t)
awk -v table=t -v better=BLEU -f judge.awk <(claims) <(printf '%s\n' 'row BLEU BLEU+- seeds' 'a 30 1 3' 'b nan - 1' | t) | head -n 1
awk -v table=t -v better=BLEU -f judge.awk <(echo 'b is no worse|b|a|no worse') <(printf '%s\n' 'row BLEU BLEU+- seeds' 'a 30 5 3' 'b 26 0.1 3' | t)
awk -v table=t -v better=F1 -f judge.awk <(claims) <(printf '%s\n' 'row BLEU BLEU+- seeds' | t) 2>&1 | sed 's|/dev/fd/[0-9]*|TABLE|'
echo '-- means'
awk -f means.awk <(printf '%s\n' 'x 1 100 5.0 30 20 1e12 2e12' 'x 2 100 7.0 32 21 3e12 -' 'y 1 9 - 10 11 1e3 -' | t)
awk -f means.awk <(printf 'x\t1\t100\t5\t\t20\t1e12\t-\n') 2>&1 | sed 's|/dev/fd/[0-9]*|ROW|'
awk -f parses.awk <(printf 'x\t1\t100\t5\t\n') 2>&1 | sed 's|/dev/fd/[0-9]*|ROW|'
awk -f means.awk <(for s in 1 2 3; do echo "x $s 100 5.0 21.55 21.55 1e12 -"; done | t) | cut -f 5-8
echo '-- operations of training'
awk -f cost.awk <(printf '%s\n' 'row FLOP' 'base 1e9' 'lstm-dot 2e9' | t)
awk -f cost.awk <(printf '%s\n' 'row FLOP' 'lstm-dot 1e9' 'base 1.5e+09' | t)
awk -f cost.awk <(printf '%s\n' 'row FLOP' 'base 1e9' | t)
echo '-- exponents of table 1'
awk -f fitted.awk <(printf '%s\n' head 'good 2 1 0 0 2.1 0.9 2 1 1 0.1 0.1' 'wrong 1 2 1 1 1.5 2 1 2 1 1 1' 'path 1 2 1 1 1 2 1 2 1 1 0' \
  'unknown 2 1 0 0 2 1 2 1 1 0 nan' | t)
layers() {
  printf '%s\n' 'layer n d ms MiB GFLOP sequential path' "self-attention 16 32 $1 0 1 1 1" 'self-attention 32 32 3 0 4 1 1' 'self-attention 64 32 9 0 16 1 1' \
    'recurrent 16 32 2 0 2 16 16' 'recurrent 32 32 4 0 4 32 32' 'recurrent 64 32 8 0 8 64 64' | t
}
awk -f crossing.awk <(layers 1)
awk -f crossing.awk <(layers 5)
awk -f crossing.awk <(layers 1 | (sed -u 1q; sort -k1,1r -k2,2rn))
awk -f crossing.awk <(layers 1 | grep -v 64)
awk -f crossing.awk <(layers 1 | grep -e layer -e '	64	')
awk -f times.awk <(layers 1)
echo '-- masked attention, of a line whose double is too long to be scored, and of one that is not'
scored() { printf '{"token_scores":[%s],"pieces":["a","b"]}\t{"token_scores":[%s],"pieces":["a","b","a","b"]}\n' "$1" "$2"; }
scored -1,-2,-3 '' | awk -f masked.awk
scored -1,-2,-3 -1,-2.5,-3,-4,-5 | awk -f masked.awk
echo '-- lengths'
rows() { printf '%s\n' "$@" | t; }
rows 'lstm-dot 1-4 40' 'lstm-none 1-4 30' 'lstm-dot 5-8 42' 'lstm-none 5-8 10' 'lstm-dot 1-4 38' 'lstm-none 1-4 31' 'lstm-dot 5-8 41' 'lstm-none 5-8 11' \
  'base 1-4 50' >lengths
awk -f lengths.awk lengths | tee table
awk -v seeds=2 -f falls.awk table
for none in '30 29' '10 20' '30 5'; do
  rows "lstm-dot 1-4 40" "lstm-none 1-4 ${none% *}" "lstm-dot 5-8 40" "lstm-none 5-8 ${none#* }" | awk -f lengths.awk | awk -v seeds=1 -f falls.awk
done
rows 'lstm-dot 1-4 40' 'lstm-none 1-4 39' 'lstm-dot 1-4 44' 'lstm-none 1-4 35' 'lstm-dot 5-8 40' 'lstm-none 5-8 36' | awk -f lengths.awk |
  awk -v seeds=2 -f falls.awk
rows 'base 1-4 40' | awk -f lengths.awk | awk -v seeds=2 -f falls.awk
echo '-- heads: two sentences of two words; head 1-1 looks back, head 1-2 at the governor, which is the next word'
attention() {
  for i in 1 2; do
    printf 'sentence %d\nlayer\thead\trow\tquery\tcolumn\tkey\tweight\n' $i
    while read -r head q weights; do
      k=0
      for w in $weights; do k=$((k + 1)); printf '1\t%s\t%s\t-\t%s\t%s\t%s\n' "$head" "$q" $k "$(sed -n ${k}p <<<$'▁a\n▁b\nc\n</s>')" "$w"; done
    done <<'END'
1 1 1 0 0 0
1 2 1 0 0 0
1 3 0 1 0 0
1 4 0 0 1 0
2 1 0.4 0.1 0.2 0.3
2 2 0.1 0.9 0 0
2 3 0.1 0.1 0.8 0
2 4 0.25 0.25 0.25 0.25
END
  done
}
printf '2 0\n2 0\n' >governors
attention | awk -v governors=governors -f heads.awk | tee one
attention | awk -f heads.awk | tee two
awk -v what=back -v column=previous -f found.awk one two
awk -v what=phrase -v column=governor -f found.awk one
sed 's/^place.*/place +1\t-\t-\t-\t0.5000\t-/' one >low
awk -v what=phrase -v column=governor -f found.awk low
sed 's/\t1.0000\t/\t0.5100\t/; s/\t0.[0-9]*$/\t0.4/' two | awk -v what=back -v column=previous -f found.awk
sed 's/\t1.0000\t/\t0.5000\t/; s/\t0.[0-9]*$/\t0.1/' two >part
awk -v what=back -v column=previous -f found.awk part
sed 's/\t1.0000\t/\t0.5000\t/; s/\t0.[0-9]*$/\t0.4/' two >none
awk -v what=back -v column=previous -f found.awk none
awk -v what=back -v column=previous -f found.awk two none
echo '-- masked attention'
scored() { for scores; do printf '{"text":"a","token_scores":[%s],"pieces":["%s"]}\t{"text":"a","token_scores":[%s],"pieces":["%s"]}\n' ${scores//|/ }; done; }
scored '-1,-2|a","b|-1,-2.5,-3|a","b","c' '-1,-2,-3|a","</s>","x|-1,-9|a","b' | awk -f masked.awk
scored '-1|a|-1|b' | awk -f masked.awk
echo '-- order'
printf '%s\t%s\n' 'x' '0-0 1-1 2-2 3-3 4-4 5-5' y '0-5 1-4 2-3 3-2 4-1 5-0' z '0-0 1-2 2-1 3-3 4-4 5-5' short 1-0 | awk -f reordering.awk
printf '%s\t%s\n' 'x' '0-0' | awk -f reordering.awk
echo '-- curves of table 2'
awk -f families.awk <(printf '%s\n' head 'base - - - - - 30 1 9' 'lstm-dot - - - - - 20 1 5' 'base-ensemble - - - - - 31 - 20' \
  'lstm-none - - - - - 5 - 4' 'lstm-dot-ensemble - - - - - 22 - 15' | t)
echo '-- extrapolation'
far() { printf '%s\n' "$@" | t | awk -v short=8 -v seeds=2 -f extrapolates.awk; }
far 'length base base+- short-base short-base+- short-learned short-learned+-' '1-8 90 1 90 1 90 1' '9- 60 1 30 1 20 1'
far 'length base base+- short-base short-base+- short-learned short-learned+-' '1-8 90 1 90 1 90 1' '9- 60 1 20 1 30 -'
far 'length base base+- short-base short-base+- short-learned short-learned+-' '1-8 90 1 90 1 90 1' '9- 60 1 30 6 25 6'
far 'length short-base short-base+- short-learned short-learned+-' '1-8 90 - 90 -' '9- 30 - 20 -'
far 'length base base+- short-base short-base+-' '1-8 90 1 90 1' '9- 60 1 30 6'
echo '-- trees'
printf ' (S (NN a))\n ( (S (NN b)))\n' | awk -f treebank.awk
printf 'text\n (not a tree)\nORIGINAL CDROM\n (nor this)\n\n(S (NN a))\n (S (NN b))\n' | awk -f treebank.awk
