# Text to train subword models on, the same every time: lines LINES [SEED]
lines() {
  awk -v lines="$1" -v seed="${2:-1}" 'BEGIN {
    n = split("the a small big old red house tree river mill stands grows turns near behind under and slowly water garden", word, " ")
    m = split("s ing er ly ness un re", part, " ")
    for (i = 0; i < lines; i++) {
      line = ""
      for (k = 0; k < 3 + i % 5; k++) {
        seed = (seed * 69069 + 12345) % 2147483648
        r = int(seed / 65536)
        line = line (k ? " " : "") word[1 + r % n] (r % 3 ? "" : part[1 + int(r / n) % m])
      }
      print line
    }
  }'
}
