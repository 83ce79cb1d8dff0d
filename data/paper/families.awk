# Table 2 to a curve for each family of models, BLEU on the test set over the operations of training.
BEGIN {
  FS = OFS = "\t"
  print "FLOP of training", "Transformer", "Transformer+-", "LSTM with attention", "LSTM with attention+-", "LSTM without", "LSTM without+-"
}
NR > 1 {
  a = b = c = "-" OFS "-"
  score = $7 OFS $8
  if ($1 ~ /^lstm-none/) { family = 3; c = score }
  else if ($1 ~ /^lstm/) { family = 2; b = score }
  else { family = 1; a = score }
  fflush()
  print family, $9, a, b, c | "sort -k 1,1n -k 2,2g | cut -f 2-"  # one family after the other: a row without a value ends a curve
}
