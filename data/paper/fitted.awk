# Exponents as "complexity fit" prints them, beside those of table 1. (Of convolutions the longest path is that of contiguous kernels, section 4.)
function near(x, y) { return x - y < 0.25 && y - x < 0.25 }
BEGIN { FS = "\t" }
NR > 1 {
  missing = ($6 $7 $11 $12) ~ /nan/
  good = near($6, $2) && near($7, $3) && near($11, $4) && near($12, $5)
  for (i = 6; i <= 12; ++i) gsub(/nan/, "-", $i)
  printf "table 1, %s: operations ~ n^%s d^%s, sequential ~ n^%s, path ~ n^%s: ", $1, $2, $3, $4, $5
  printf "%s (measured n^%s d^%s, n^%s, n^%s; time ~ n^%s d^%s, memory ~ n^%s)\n", (missing ? "not measured" : good ? "found" : "not found"), $6, $7, $11, $12, $8, $9, $10
}
