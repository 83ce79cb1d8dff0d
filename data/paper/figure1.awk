# Figure 1 of the paper as SVG, from the settings of a Transformer as "tt-model config" prints them, a key a line.
function of(key) { return config[key] }
function text(x, y, s, class) { printf "<text x=\"%g\" y=\"%g\" class=\"%s\">%s</text>\n", x, y, class, s }
function box(x, y, h, s, class) {
  printf "<rect x=\"%g\" y=\"%g\" width=\"220\" height=\"%g\" rx=\"5\" class=\"%s\"/>\n", x, y, h, class
  text(x + 110, y + h / 2 + 5, s, "middle")
}
function arrow(d) { printf "<path d=\"%s\" class=\"arrow\"/>\n", d }
# A stack at x, from its bottom up; `parts` are its sub-layers, separated by |. Sets top, and middle of each sub-layer.
function stack(x, title, layers, parts,    i, n, part, y) {
  n = split(parts, part, "|"); top = 410 - 76 * n
  printf "<rect x=\"%g\" y=\"%g\" width=\"252\" height=\"%g\" rx=\"12\" class=\"frame\"/>\n", x - 16, top - 8, 76 * n + 10
  text(x - 16, top - 16, title " \303\227 " layers, "name")
  for (i = 1; i <= n; ++i) {
    y = 410 - 76 * i
    box(x, pre ? y + 6 : y + 34, 36, part[i], part[i] ~ /^feed/ ? "ffn" : "attend")
    box(x, pre ? y + 48 : y + 6, 22, pre ? norm : "add &amp; " norm, "norm")
    middle[i] = pre ? y + 24 : y + 52
  }
  arrow("M" x + 110 ",466 V414")
  if (of("positions") != "none") box(x, 426, 30, of("positions") " positions", "embed")
  box(x, 466, 30, "embedding, d_model " of("d_model"), "embed")
}
{ gsub(/^ *"|,$/, ""); at = index($0, "\": "); if (at) { v = substr($0, at + 3); gsub(/"/, "", v); config[substr($0, 1, at - 1)] = v } }
END {
  if (of("type") != "transformer") { print "<p>The model is no Transformer.</p>"; exit }
  pre = of("norm") == "pre"; norm = of("norm_type") == "rms" ? "RMS norm" : "layer norm"
  width = of("d_k") + 0 ? of("d_k") : of("d_model") / of("heads")
  attention = "attention, " of("heads") " heads of " width
  ffn = "feed-forward, " of("d_ff") ", " of("activation")
  printf "<div class=\"wide\"><svg class=\"figure1\" viewBox=\"10 %g 670 %g\" role=\"img\" aria-label=\"The encoder and the decoder of the model, with their sub-layers\">\n", 410 - 76 * 3 - 74, 416
  print "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>"
  stack(40, "encoder", of("encoder_layers"), "self-" attention "|" ffn); from = top - 8
  stack(420, "decoder", of("decoder_layers"), (of("decoder_self") == "ssru" ? "SSRU" : "masked " attention) "|cross-" attention "|" ffn)
  arrow("M150," from " v-22 h200 V" middle[2] " h70")
  arrow("M530," top - 8 " v-24")
  box(420, top - 62, 30, "linear, softmax over " of("target_vocab"), "softmax")
  text(150, 516, "source, " of("source_vocab") " pieces", "middle"); text(530, 516, "target, shifted right", "middle")
  print "</svg></div>"
  print "<dl class=\"facts\">"
  n = split("dropout label_smoothing optimizer schedule warmup tokens accumulate max_updates embeddings beam alpha", fact, " ")
  for (i = 1; i <= n; ++i) { v = of(fact[i]); if (v ~ /^[0-9]+\.0$/) sub(/\.0$/, "", v); k = fact[i]; gsub(/_/, " ", k); printf "<div><dt>%s</dt><dd>%s</dd></div>\n", k, v }
  print "</dl>"
}
