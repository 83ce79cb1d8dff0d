# Turns the lines of "complexity measure" into the time of each layer against n, at the width in the middle, and a vertical line at n = d.
BEGIN { FS = OFS = "\t" }
NR > 1 {
  if (!($1 in kind)) { kind[$1]; kinds[++k] = $1 }
  if (!($3 in width)) { width[$3]; widths[++w] = $3 }
  if (!($2 in is_length)) { is_length[$2]; lengths[++l] = $2 }
  ms[$1, $2, $3] = $4
}
function row(n, with_line, at,    line, i) {
  line = n
  for (i = 1; i <= k; ++i) line = line OFS (with_line ? "-" : ms[kinds[i], n, d])
  return line OFS (with_line ? at : "-")
}
END {
  for (i = 1; i <= w; ++i) {
    less = 0
    for (j = 1; j <= w; ++j) less += widths[j] + 0 < widths[i] + 0
    if (less == int((w - 1) / 2)) d = widths[i]
  }
  line = "n, with d = " d
  for (i = 1; i <= k; ++i) line = line OFS kinds[i]
  print line, "n = d"
  for (j = 1; j <= l; ++j) for (i = 1; i <= k; ++i) {
    at = ms[kinds[i], lengths[j], d]
    if (least == "" || at < least) least = at
    if (at > most) most = at
  }
  for (j = 1; j <= l; ++j) print row(lengths[j])
  print row(d, 1, least)
  print row(d, 1, most)
}
