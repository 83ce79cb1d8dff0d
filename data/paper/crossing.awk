# Self-attention has fewer operations than a recurrent layer where n is below a multiple of d (LSTM: 4 gates with two products each, and so
# 16 n d d operations forward where attention has 4 n n d): in each width the length from which on it has more, by operations and by time.
# In: what "complexity measure" prints.
function from(less, d,    n, least) {
  for (n in lengths) if ((n, d) in other && n + 0 > less[d] && (least == "" || n + 0 < least)) least = n + 0
  return least == "" ? "at no length that was measured" : "from n = " least " on"
}
BEGIN { FS = "\t" }
NR > 1 && $1 == "self-attention" { time[$2, $3] = $4; work[$2, $3] = $6 }
NR > 1 && $1 == "recurrent" {
  lengths[$2]; widths[$3]; other[$2, $3]
  # The longest at which attention costs no more.
  if (work[$2, $3] <= $6 && $2 > by_work[$3]) by_work[$3] = $2
  if (time[$2, $3] <= $4 && $2 > by_time[$3]) by_time[$3] = $2
  if ($2 <= $3) { ++pairs; faster += time[$2, $3] < $4 }
}
END {
  for (d in widths)
    printf "table 1, d = %s: self-attention costs more than the recurrent layer %s by operations, %s by time\n", d, from(by_work, d), from(by_time, d) | "sort -t= -k2n"
  close("sort -t= -k2n")
  verdict = !pairs ? "not measured" : faster == pairs ? "found" : faster > pairs / 2 ? "mostly found" : "not found"
  printf "table 1, self-attention is faster than a recurrent layer where n <= d: %s%s\n", verdict, pairs ? sprintf(" (in %d of %d sizes)", faster, pairs) : ""
}
