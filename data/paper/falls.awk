# Whether BLEU falls with the length faster without attention: the part of the BLEU with attention that remains without it, in the shortest
# sentences and in the longest. (Where both fall, the difference between them may fall too; it is said beside it.)
#
#   awk -v seeds=N -f falls.awk TABLE     of lengths.awk
function part() { return $without / $with }
function noise() { return $with > 0 && $without > 0 ? part() ^ 2 * (($(with + 1) / $with) ^ 2 + ($(without + 1) / $without) ^ 2) : 0 }
BEGIN { FS = "\t" }
NR == 1 { for (i = 2; i <= NF; ++i) { if ($i == "lstm-dot") with = i; if ($i == "lstm-none") without = i } }
NR > 1 && with && without && $with > 0 && $without != "-" {
  last = part(); wide = noise(); behind = $with - $without
  if (!lines++) { first = last; wide_first = wide; behind_first = behind }
}
END {
  if (lines < 2) exit
  gap = first - last; limit = sqrt(wide_first + wide)
  verdict = gap > limit ? "found" : gap < -limit ? "not found" : "within the spread over seeds"
  if (seeds < 2) verdict = (gap > 0 ? "found" : "not found") ", with one seed"
  printf "lengths, without attention BLEU falls faster with the length: %s (%.0f %% of the BLEU with attention in the shortest sentences, %.0f %% in the longest; behind by %.1f and %.1f)\n", \
    verdict, 100 * first, 100 * last, behind_first, behind
}
