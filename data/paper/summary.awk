# How many claims were found, and what is missing: verdicts, and then the targets that are missing.
FNR == 1 { ++file }
FILENAME == "-" { take_apart($0, p); if (p["verdict"] != "") { ++all; ++count[class_of(p["verdict"])] } next }
{ missing = missing (missing == "" ? "" : ", ") "<code>" escaped($0) "</code>" }
END {
  printf "<p class=\"summary\">Of %d statements of the paper that were tried, <span class=\"found\">%d found</span>, " \
    "<span class=\"not-found\">%d not</span>, and <span class=\"open\">%d are open</span>: within the spread over seeds, or not measured.", \
    all, count["found"], count["not-found"], count["open"]
  print missing == "" ? "</p>" : " Not made yet: " missing ".</p>"
}
