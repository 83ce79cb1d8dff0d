# What made a table, as HTML: its command, the machines and commits with the runs that each trained, and the options of each row.
#
#   awk -v folder=FOLDER -f escape.awk -f made.awk NAME.made     a command, and then run, date, commit, machine a line
BEGIN { FS = "\t" }
FNR == 1 { command = $0; next }
{
  origin = $2; for (i = 3; i <= NF; ++i) origin = origin ", " $i
  if (!(origin in runs)) order[++origins] = origin
  runs[origin] = runs[origin] ($1 == "-" ? "" : " " $1)
  if ($1 == "-") next
  row = $1; sub(/@.*/, "", row); file = folder "/" $1 "/flags"; name = row; sub(/.*\//, "", name)
  if (!(row in shown) && (getline line < file) > 0) { sub(/ --seed [0-9]+/, "", line); shown[row]; rows = rows sprintf("<dt>%s</dt><dd><code>tt-train %s</code></dd>\n", escaped(name), escaped(line)) }
  close(file)
}
END {
  print "<div class=\"made\">\n<h3>How it was made</h3>"
  printf "<pre>%s</pre>\n<ul>\n", escaped(command)
  for (o = 1; o <= origins; ++o) {
    list = runs[order[o]]; gsub(/(trees\/)?runs\//, "", list); sub(/^ /, "", list); gsub(/ /, ", ", list)
    print "<li>" escaped(order[o]) (list == "" ? "" : ": " escaped(list)) "</li>"
  }
  print "</ul>"
  if (rows != "") print "<dl>" rows "</dl>"
  print "</div>"
}
