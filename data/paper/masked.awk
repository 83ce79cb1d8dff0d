# Whether the probability of a token depends on later ones: of each translation and of another one that begins as it does, as "tt-translate
# --score --format json --token-scores" prints them, with TAB between them, the tokens at which they begin alike, and the largest difference
# between the scores of such a token.
function list(text, name, values,    at) {
  at = index(text, "\"" name "\":[")
  text = substr(text, at + length(name) + 4)
  if (!at) return 0
  return name == "pieces" ? split(substr(text, 2, match(text, /"\]/) - 2), values, "\",\"") : split(substr(text, 1, index(text, "]") - 1), values, ",")
}
BEGIN { FS = "\t" }
{
  n = list($1, "pieces", one); list($2, "pieces", other)
  m = list($1, "token_scores", score); k = list($2, "token_scores", other_score)  # none, if it is too long to be scored
  for (i = 1; i <= n && i <= m && i <= k && one[i] == other[i]; ++i) {
    ++tokens
    difference = score[i] - other_score[i]
    if (difference * difference > most * most) most = difference
  }
}
END { print tokens + 0 "\t" (most < 0 ? -most : most + 0) }
