# Row with its search, seed, F1, malformed trees and all trees to means and standard deviations over the seeds.
BEGIN { FS = OFS = "\t" }
{ for (i = 1; i <= 5; ++i) if ($i == "") { print FILENAME ": lacks field " i "; remove the file, and make goes on" > "/dev/stderr"; failed = 1; exit 1 } }
{ if (!($1 in count)) order[++rows] = $1; ++count[$1]; sum[$1] += $3; square[$1] += $3 * $3; bad[$1] += $4; all[$1] += $5 }
END {
  if (failed) exit 1
  print "row beam alpha", "F1", "F1+-", "well-formed, %", "seeds"
  for (r = 1; r <= rows; ++r) {
    name = order[r]; n = count[name]; v = n > 1 ? (square[name] - sum[name] ^ 2 / n) / (n - 1) : 0
    print name, sprintf("%.2f", sum[name] / n), (n > 1 ? sprintf("%.2f", v > 0 ? sqrt(v) : 0) : "-"), (all[name] ? sprintf("%.1f", 100 * (1 - bad[name] / all[name])) : "-"), n
  }
}
