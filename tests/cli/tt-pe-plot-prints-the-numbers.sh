# --tsv: the encodings in both layouts, one dimension, similarity and wavelengths, with numbers that can be checked by hand.
echo "interleaved: sin(p), cos(p), sin(p/100), cos(p/100)"
tt-pe-plot --tsv -n 3 -d 4
echo "concatenated: the same columns in another order, positions 1 and 2"
tt-pe-plot --tsv -n 2 --first 1 -d 4 --layout concatenated
echo "chosen dimensions"
tt-pe-plot --tsv -n 2 -d 512 --dimensions 0-1,511
echo "similarity of positions 5 and 6, width 2: cos(p - q)"
tt-pe-plot --tsv -n 2 -d 2 --similarity --first 5
echo "wavelengths: 2 pi times 1, 1, 100, 100"
tt-pe-plot --tsv -d 4 --wavelength
# The formula, worked out by awk for a whole table: 2i is the even index, not twice it.
tt-pe-plot --tsv -n 40 -d 33 | awk -F '\t' 'NR > 1 {
  for (c = 0; c < 33; c++) {
    angle = $1 / exp(log(10000) * (c - c % 2) / 33)
    want = c % 2 ? cos(angle) : sin(angle)
    d = want - $(c + 2); if (d < 0) d = -d; if (d > worst) worst = d; n++
  }
} END { print n, (worst < 1e-6 ? "values are the formula'"'"'s" : "values differ by up to " worst) }'
# PE(p + 7) from PE(p): the rotation is exact but for rounding, and so is a map that is fitted to every second position.
tt-pe-plot --tsv -n 60 -d 16 --shift 7 | awk -F '\t' 'NR == 1 { print; next }
  { n[$2]++; if ($4 > worst) worst = $4 }
  END { for (curve in n) print curve, n[curve] | "sort"; close("sort"); print (worst < 1e-4 ? "errors are those of rounding" : "errors are up to " worst) }'
for wrong in '-n 7' '-d 15' '-d 4096' '--similarity'; do tt-pe-plot --tsv --shift 7 $wrong; echo "exit status $?"; done
