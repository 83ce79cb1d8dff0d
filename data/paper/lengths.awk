# Row, group of lengths and BLEU, a line for each seed, to a table: a line for each group, a mean and a spread for each row.
function spread(n, sum, squares,    v) { v = n > 1 ? (squares - sum * sum / n) / (n - 1) : 0; return n > 1 ? sprintf("%.2f", v > 0 ? sqrt(v) : 0) : "-" }
BEGIN { FS = OFS = "\t" }
!($1 in count) { order[++rows] = $1; count[$1] }
!($2 in known) { group[++groups] = $2; known[$2] }
{ ++n[$1, $2]; sum[$1, $2] += $3; square[$1, $2] += $3 * $3 }
END {
  line = "length"
  for (r = 1; r <= rows; ++r) line = line OFS order[r] OFS order[r] "+-"
  print line
  for (g = 1; g <= groups; ++g) {
    line = group[g]
    for (r = 1; r <= rows; ++r) {
      at = order[r] SUBSEP group[g]
      line = line OFS (at in n ? sprintf("%.2f", sum[at] / n[at]) OFS spread(n[at], sum[at], square[at]) : "-" OFS "-")
    }
    print line
  }
}
