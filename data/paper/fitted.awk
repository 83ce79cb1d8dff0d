# Exponents as "complexity fit" prints them, beside those of table 1. (Of convolutions the longest path is that of contiguous kernels, section 4.)
function near(x, y) { return x - y < 0.25 && y - x < 0.25 }
BEGIN { FS = "\t" }
NR > 1 {
  missing = ($6 $7 $11 $12) ~ /nan/
  good = near($6, $2) && near($7, $3) && near($11, $4) && near($12, $5)
  printf "table 1, %s: operations ~ n^%s d^%s (theory n^%s d^%s), sequential ~ n^%s (n^%s), path ~ n^%s (n^%s): ", $1, $6, $7, $2, $3, $11, $4, $12, $5
  gsub(/nan/, "-", $8); gsub(/nan/, "-", $9); gsub(/nan/, "-", $10)
  printf "%s; time ~ n^%s d^%s, memory ~ n^%s\n", (missing ? "not measured" : good ? "found" : "not found"), $8, $9, $10
}
