# The findings of the paper against a table: a line for each claim whose rows are there.
#
#   awk -v table=NAME -v better=COLUMN -f judge.awk CLAIMS TABLE
#
# A claim is a sentence and two rows, with | between them, the first of which is better, or with a fourth field no worse. A difference is
# found where it is larger than its standard deviation over the seeds, and its absence where there is none.
function shown(row) { return row " " mean[row] (seeds[row] > 1 ? "+-" spread[row] : "") }
BEGIN { FS = "\t" }
NR == FNR { claims[++n] = $0; next }
FNR == 1 {
  for (i = 1; i <= NF; ++i) if ($i == better) column = i
  if (!column) { print FILENAME ": has no column " better > "/dev/stderr"; failed = 1; exit 1 }
  next
}
{ mean[$1] = $column; spread[$1] = $(column + 1); seeds[$1] = $NF }
END {
  if (failed) exit 1
  for (i = 1; i <= n; ++i) {
    split(claims[i], claim, "|"); a = claim[2]; b = claim[3]
    if (!(a in mean) || !(b in mean)) continue
    many = seeds[a] < 2 ? b : a; few = seeds[b] < 2 ? a : b  # a row of one seed is taken to spread as the other
    gap = mean[a] - mean[b]; noise = sqrt(spread[many] ^ 2 + spread[few] ^ 2)
    if (mean[a] !~ /^-?[0-9.]+$/ || mean[b] !~ /^-?[0-9.]+$/) { printf "%s, %s: not measured (%s, %s)\n", table, claim[1], shown(a), shown(b); continue }
    found = claim[4] != "" ? gap >= 0 : gap > noise
    verdict = found ? "found" : gap < -noise ? "not found" : "within the spread over seeds"
    if (seeds[many] < 2) verdict = (found ? "found" : "not found") ", with one seed"
    printf "%s, %s: %s (%s, %s)\n", table, claim[1], verdict, shown(a), shown(b)
  }
}
