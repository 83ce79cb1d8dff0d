# Rows of tables 2 and 3 to means and standard deviations over the seeds of each, in the order in which they come.
#
# In:  row, seed, parameters, perplexity, BLEU on the development set, BLEU on the test set, operations of training, and their estimate;
#      what is not known is -.
function spread(n, sum, squares,    v) { v = n > 1 ? (squares - sum * sum / n) / (n - 1) : 0; return n > 1 ? sprintf("%.2f", v > 0 ? sqrt(v) : 0) : "-" }
function mean_of(name, i) {
  return known[name, i] < count[name] ? "-" OFS "-" : sprintf("%.2f", sum[name, i] / count[name]) OFS spread(count[name], sum[name, i], square[name, i])
}
BEGIN { FS = OFS = "\t" }
{ for (i = 1; i <= 8; ++i) if ($i == "") { print FILENAME ": lacks field " i "; remove the file, and make goes on" > "/dev/stderr"; failed = 1; exit 1 } }
{
  if (!($1 in count)) order[++rows] = $1
  ++count[$1]
  for (i = 3; i <= 8; ++i) { sum[$1, i] += $i; square[$1, i] += $i * $i; known[$1, i] += $i != "-" }
}
END {
  if (failed) exit 1
  print "row", "parameters", "perplexity", "perplexity+-", "dev BLEU", "dev BLEU+-", "test BLEU", "test BLEU+-", "FLOP", "FLOP, estimated", "seeds"
  for (r = 1; r <= rows; ++r) {
    name = order[r]; n = count[name]
    print name, sprintf("%.0f", sum[name, 3] / n), mean_of(name, 4), mean_of(name, 5), mean_of(name, 6), sprintf("%.4g", sum[name, 7] / n), \
      (known[name, 8] ? sprintf("%.4g", sum[name, 8] / known[name, 8]) : "-"), n
  }
}
