# For tests of programs that read attention records: three made by hand, with two heads, in Japanese, and of a decoder.
records() {
  cat <<'END'
{"line":1,"source":["▁two","▁men","</s>"],"target":["▁zwei","▁Männer","</s>"],"attention":[{"kind":"cross","layer":1,"head":1,"weights":[[0.9,0.05,0.05],[0.25,0.5,0.25],[0,0,1]]},{"kind":"cross","layer":1,"head":2,"weights":[[0.5,0.25,0.25],[0.25,0.25,0.5],[0,0.5,0.5]]}]}
{"line":3,"source":["▁he","▁eats","▁fish","</s>"],"target":["彼","は","魚","を","食べる","</s>"],"attention":[{"kind":"cross","layer":1,"head":1,"weights":[[1,0,0,0],[0.5,0.5,0,0],[0,0,1,0],[0,0.25,0.75,0],[0,1,0,0],[0,0,0,1]]}]}
{"line":4,"source":["a"],"target":["x","y"],"attention":[{"kind":"decoder","layer":2,"head":1,"weights":[[1,0],[0.5,0.5]]}]}
END
}
