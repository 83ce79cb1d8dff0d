# Whether BLEU falls with the length faster without attention: the part of the BLEU with attention that remains without it, in the shortest
# sentences and in the longest. (Where both fall, the difference between them may fall too; it is said beside it.)
#
#   awk -v seeds=N -f falls.awk TABLE     of lengths.awk
function part() { return $without / $with }
# A row of one seed is taken to spread as the other.
function relative(i, other) { return $(i + 1) == "-" ? ($(other + 1) == "-" ? 0 : $(other + 1) / $other) : $(i + 1) / $i }
function noise() { return $with > 0 && $without > 0 ? part() ^ 2 * (relative(with, without) ^ 2 + relative(without, with) ^ 2) : 0 }
BEGIN { FS = "\t" }
NR == 1 { for (i = 2; i <= NF; ++i) { if ($i == "lstm-dot") with = i; if ($i == "lstm-none") without = i } }
NR > 1 && with && without && $with > 0 && $without != "-" {
  last = part(); wide = noise(); behind = $with - $without
  if (!lines++) { first = last; wide_first = wide; behind_first = behind }
}
END {
  what = "lengths, without attention BLEU falls faster with the length"
  if (lines < 2) { print what ": not measured (it takes lstm-dot and lstm-none, and two groups of lengths)"; exit }
  gap = first - last; limit = sqrt(wide_first + wide)
  verdict = gap > limit ? "found" : gap < -limit ? "not found" : "within the spread over seeds"
  if (seeds < 2) verdict = (gap > 0 ? "found" : "not found") ", with one seed"
  printf "%s: %s (%.0f %% of the BLEU with attention in the shortest sentences, %.0f %% in the longest; behind by %.1f and %.1f)\n", \
    what, verdict, 100 * first, 100 * last, behind_first, behind
}
