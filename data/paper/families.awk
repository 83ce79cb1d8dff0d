# Table 2 to a curve for each family of models, BLEU on the test set over the operations of training.
BEGIN {
  FS = OFS = "\t"
  print "FLOP of training", "Transformer", "Transformer+-", "LSTM with attention", "LSTM with attention+-", "LSTM without", "LSTM without+-"
}
NR > 1 {
  a = b = c = "-" OFS "-"
  score = $7 OFS $8
  if ($1 ~ /^lstm-none/) c = score
  else if ($1 ~ /^lstm/) b = score
  else a = score
  fflush()
  print $9, a, b, c | "sort -g"
}
