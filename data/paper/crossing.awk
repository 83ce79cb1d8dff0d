# Self-attention has fewer operations than a recurrent layer where n is below a multiple of d (LSTM: 4 gates with two products each, and so
# 16 n d d operations forward where attention has 4 n n d): in each width the length from which on it has more, by operations and by time.
# In: what "layers measure" prints.
BEGIN { FS = "\t" }
NR > 1 && $1 == "self-attention" { time[$2, $3] = $4; work[$2, $3] = $6 }
NR > 1 && $1 == "recurrent" {
  if (work[$2, $3] > $6 && !($3 in by_work)) by_work[$3] = $2
  if (time[$2, $3] > $4 && !($3 in by_time)) by_time[$3] = $2
  widths[$3]
  if ($2 <= $3) { ++pairs; faster += time[$2, $3] < $4 }
}
END {
  for (d in widths)
    printf "table 1, d = %s: self-attention costs more than the recurrent layer from n = %s on (operations), %s (time)\n", d, (d in by_work ? by_work[d] : "none"), (d in by_time ? by_time[d] : "none") | "sort -t= -k2n"
  close("sort -t= -k2n")
  verdict = faster == pairs ? "found" : faster > pairs / 2 ? "mostly found" : "not found"
  printf "table 1, self-attention is faster than a recurrent layer where n <= d: %s (in %d of %d sizes)\n", verdict, faster, pairs
}
