# The places that heads of an encoder look at, over all its sentences.
#
#   awk [-v governors=FILE] -f heads.awk
#
# In:  for each sentence a line "sentence N", then what tt-attention-plot --tsv prints.
# Out: for each head the part of its weight that goes to the token before, to the token itself and to the next one, of those that have one,
#      and to a token at chance. With FILE, of "tt-tree heads", of which line N is of sentence N, also the part of the words whose governor
#      is, of the other words, that which their last token gives most weight; and in a last line, "place K", the same of the best rule that
#      knows no words: the governor is always K words further on.
function close_row(    w, best, v) {
  if (row_cells) chance[head] += 1 / row_cells
  row_cells = 0
  if (!structured || query == "" || !(word in governor) || governor[word] == 0 || !last_token) { delete sum; return }
  for (w in sum) if (w > 0 && w != word) if (best == "" || sum[w] > v || (sum[w] == v && w + 0 < best + 0)) { best = w; v = sum[w] }
  ++asked[head]
  right[head] += best == governor[word]
  delete sum
}
BEGIN {
  FS = OFS = "\t"
  structured = governors != ""
  while (structured && (getline line < governors) > 0) lines[++all] = line
}
/^sentence / {
  close_row()
  query = ""
  split($0, part, " ")
  delete governor
  if (structured) {
    words = split(lines[part[2]], numbers, " ")
    for (w = 1; w <= words; ++w) {
      governor[w] = numbers[w]
      if (numbers[w] > 0) { ++governed; ++offset[numbers[w] - w] }
    }
  }
  delete word_of
  next
}
$1 == "layer" { next }
{
  name = $1 "-" $2
  if (!(name in rows)) order[++heads] = name
  if ($3 != query || name != head) {
    if (query != "") close_row()
    head = name
    if (!(1 in word_of) || $3 == 1) { at = 0; tokens = 0 }
    query = $3
  }
  # The words of the tokens: a token that begins with the sign of a space begins one, and </s> belongs to none.
  if (!($5 in word_of)) {
    if (index($6, "▁") == 1 || $5 == 1) ++at
    word_of[$5] = $6 == "</s>" ? 0 : at
  }
  sum[word_of[$5]] += $7
  word = word_of[query]
  last_token = !((query + 1) in word_of) || word_of[query + 1] != word
  if ($5 == $3 - 1) { before[name] += $7; later[name]++ }
  if ($5 == $3) { self[name] += $7; rows[name]++ }
  if ($5 == $3 + 1) { after[name] += $7; earlier[name]++ }
  ++row_cells
}
END {
  close_row()
  print "layer-head", "previous", "itself", "next" (structured ? OFS "governor" : ""), "chance"
  for (i = 1; i <= heads; ++i) {
    h = order[i]
    printf "%s\t%.4f\t%.4f\t%.4f", h, later[h] ? before[h] / later[h] : 0, self[h] / rows[h], earlier[h] ? after[h] / earlier[h] : 0
    if (structured) printf "\t%.4f", asked[h] ? right[h] / asked[h] : 0
    printf "\t%.4f\n", chance[h] / rows[h]
  }
  if (structured) {
    for (k in offset) if (best == "" || offset[k] > offset[best] || (offset[k] == offset[best] && k < best)) best = k
    if (best != "") printf "place %+d\t-\t-\t-\t%.4f\t-\n", best, offset[best] / governed
  }
}
