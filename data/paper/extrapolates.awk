# How much of what a model trained on all lengths has in the longest sentences is left to one that was trained on short ones, for each kind of
# positions; and whether sinusoidal positions extrapolate better than learned ones.
#
#   awk -v short=WORDS -v seeds=N -f extrapolates.awk TABLE     of lengths.awk
function shown(row) { return row " " last[row] (spread[row] == "-" ? "" : "+-" spread[row]) }
BEGIN { FS = "\t" }
NR == 1 { for (i = 2; i <= NF; i += 2) name[i] = $i; next }
NR == 2 { for (i in name) first[name[i]] = $i }
{ group = $1; for (i in name) { last[name[i]] = $i; spread[name[i]] = $(i + 1) } }
END {
  what = "extrapolate, sentences of " group " words by a model trained on at most " short
  n = split("short-base short-learned short-relative short-no-positions", kind, " ")
  split("sinusoidal learned relative no", said, " ")
  for (k = 1; k <= n; ++k)
    if (kind[k] in last && last["base"] > 0)
      printf "%s, %s positions: %.0f %% of the BLEU of one trained on all (%s, %s)\n", what, said[k], 100 * last[kind[k]] / last["base"], shown(kind[k]), shown("base")
  a = "short-base"; b = "short-learned"
  if (NR < 3 || !(a in last) || !(b in last)) { print "extrapolate, sinusoidal positions extrapolate better than learned ones: not measured"; exit }
  # A row of one seed is taken to spread as the other.
  one = spread[a] == "-" ? spread[b] : spread[a]; other = spread[b] == "-" ? spread[a] : spread[b]
  gap = last[a] - last[b]; noise = sqrt(one ^ 2 + other ^ 2)
  verdict = gap > noise ? "found" : gap < -noise ? "not found" : "within the spread over seeds"
  if (one == "-") verdict = (gap > 0 ? "found" : "not found") ", with one seed"
  printf "extrapolate, sinusoidal positions extrapolate better than learned ones: %s (%s, %s)\n", verdict, shown(a), shown(b)
}
