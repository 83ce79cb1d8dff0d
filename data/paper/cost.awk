# The costs of training in table 2: the paper's Transformer takes fewer operations than the recurrent models, and is better.
BEGIN { FS = "\t" }
NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "FLOP") column = i }
NR > 1 { cost[$1] = $column }
END {
  if (!("base" in cost) || !("lstm-dot" in cost)) exit
  printf "table 2, training the Transformer takes fewer operations than the LSTM: %s (base %s, lstm-dot %s)\n", \
    (cost["base"] < cost["lstm-dot"] ? "found" : "not found"), cost["base"], cost["lstm-dot"]
}
