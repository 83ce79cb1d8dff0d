# Text as HTML has it.
function escaped(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/>/, "\\&gt;", s); gsub(/"/, "\\&quot;", s); return s }
# A line of verdicts, "TABLE, CLAIM: VERDICT (DETAILS)", in parts; one without a verdict is a claim alone.
function take_apart(line, parts,    at, rest) {
  line = substr(line, index(line, ", ") + 2)
  parts["verdict"] = parts["details"] = ""
  if (match(line, /: (mostly |not )?(found|measured)|: within the spread over seeds/)) {
    at = RSTART; parts["claim"] = substr(line, 1, at - 1); rest = substr(line, at + 2)
    if (match(rest, / \(.*\)$|; .*$/)) { parts["details"] = substr(rest, RSTART); rest = substr(rest, 1, RSTART - 1) }
    parts["verdict"] = rest
    sub(/^(; | \()/, "", parts["details"]); sub(/\)$/, "", parts["details"])
  } else parts["claim"] = line
}
# The class of a verdict, which gives it a colour beside its words.
function class_of(verdict) {
  return verdict ~ /^(found|mostly found)/ ? "found" : verdict ~ /^not found/ ? "not-found" : "open"
}
