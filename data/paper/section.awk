# A table beside the paper's numbers, and its verdicts, as HTML.
#
#   awk -v table=NAME -v value=COLUMN -f escape.awk -f section.awk kind=published published.tsv kind=rows NAME.tsv
#       [kind=claims NAME.claims] [kind=verdicts NAME.verdicts]
#
# The column `value` is that which the paper has, too; differences are those to the row base.
function cell(text, numeric) { return "<td" (numeric ? " class=\"number\"" : "") ">" (text ~ /^(-|nan)?$/ ? "" : escaped(text)) "</td>" }
function number(x) { return x ~ /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/ }
# A value, with its spread, and its difference to that of the base model.
function with_difference(x, spread, base,    text) {
  if (!number(x)) return "<td></td>"
  text = x (number(spread) ? " \302\261 " spread : "")
  if (number(base) && x != base) text = text sprintf(" <small>%s%.1f</small>", x < base ? "\342\210\222" : "+", x < base ? base - x : x - base)
  return "<td class=\"number\">" text "</td>"
}
BEGIN { FS = "\t" }
kind == "published" {
  if ($1 == table) { name[$2] = $3; perplexity[$2] = $4; paper[$2] = $5; flop[$2] = $6; if ($4 != "-") any_perplexity = 1; if ($6 != "-") any_flop = 1; any = 1 }
  next
}
kind == "rows" && FNR == 1 {
  columns = NF
  for (i = 1; i <= NF; ++i) { head[i] = $i; if ($i == value) value_at = i; if ($i == "FLOP, estimated") left_out[i] }
  next
}
kind == "rows" { ++rows; for (i = 1; i <= columns; ++i) at[rows, i] = $i; row_of[$1] = rows; next }
kind == "claims" { split($0, p, "|"); claim[++claims] = p[1]; better[p[1]] = p[2]; worse[p[1]] = p[3]; next }
kind == "verdicts" { take_apart($0, p); ++verdicts; said[verdicts] = p["claim"]; verdict[verdicts] = p["verdict"]; details[verdicts] = p["details"]; next }
END {
  printf "<div class=\"wide\"><table>\n<thead><tr><th>%s</th>", escaped(head[1])
  if (any) printf "<th class=\"row\">the paper's row</th>%s<th>%s, paper</th>%s", any_perplexity ? "<th>perplexity, paper</th>" : "", table == "table4" ? "F1" : "BLEU", any_flop ? "<th>FLOP, paper</th>" : ""
  for (i = 2; i <= columns; ++i) if (head[i] !~ /\+-$/ && !(i in left_out)) printf "<th>%s</th>", escaped(head[i])
  print "</tr></thead>\n<tbody>"
  for (r = 1; r <= rows; ++r) {
    row = at[r, 1]
    printf "<tr><th>%s</th>", escaped(row)
    if (any) printf "%s%s%s%s", cell(name[row]), any_perplexity ? cell(perplexity[row], 1) : "", with_difference(paper[row], "", paper["base"]), any_flop ? cell(flop[row], 1) : ""
    for (i = 2; i <= columns; ++i) {
      if (head[i] ~ /\+-$/ || i in left_out) continue
      spread = head[i + 1] == head[i] "+-" ? at[r, i + 1] : ""
      if (i == value_at) printf "%s", with_difference(at[r, i], spread, "base" in row_of ? at[row_of["base"], i] : "")
      else if (spread != "") printf "%s", with_difference(at[r, i], spread, "")
      else printf "%s", cell(at[r, i], 1)
    }
    print "</tr>"
  }
  print "</tbody></table></div>"
  if (verdicts) {
    print "<div class=\"wide\"><table class=\"verdicts\">\n<thead><tr><th>the paper says</th><th>verdict</th>" (any ? "<th>the paper's numbers</th>" : "") "<th>ours</th></tr></thead>\n<tbody>"
    for (v = 1; v <= verdicts; ++v) {
      c = said[v]; theirs = ""
      if (paper[better[c]] != "" && paper[worse[c]] != "") theirs = paper[better[c]] " and " paper[worse[c]]
      printf "<tr><td>%s</td><td class=\"%s\">%s</td>%s%s</tr>\n", escaped(c), class_of(verdict[v]), escaped(verdict[v]), any ? cell(theirs) : "", cell(details[v])
    }
    print "</tbody></table></div>"
  }
}
