# Whether heads look where they are said to: the best head of each model by one column. It is found where most of the weight, or more than the
# best rule without words has, is there, and in part where there is no such rule, and three times as much as at chance.
#
#   awk -v what=TEXT -v column=NAME -f found.awk TABLE...     of heads.awk, one for each seed
FNR == 1 {
  column_at = chance_at = 0
  for (i = 1; i <= NF; ++i) { if ($i == column) column_at = i; if ($i == "chance") chance_at = i }
  ++models
  next
}
BEGIN { FS = "\t" }
/^place/ { if ($column_at != "-") { place[models] = $column_at; rule[models] = $1 } next }
column_at && $column_at > best[models] { best[models] = $column_at; head[models] = $1; chance[models] = $chance_at }
END {
  for (m = 1; m <= models; ++m) {
    at_chance = m in place ? place[m] : chance[m]
    good = m in place ? best[m] > place[m] : best[m] > 0.5
    found += good; part += !good && !(m in place) && best[m] > 3 * chance[m]
    list = list (m > 1 ? "; " : "") sprintf("head %s %.0f %%, where %s %.0f %%", head[m], 100 * best[m], m in place ? "the best rule without words, " rule[m] ", has" : "chance is", 100 * at_chance)
  }
  verdict = found == models ? "found" : found + part == models && found + part > 0 ? "found in part" : found ? sprintf("found in %d of %d models", found, models) : "not found"
  printf "figures, %s: %s (%s)\n", what, verdict, list
}
