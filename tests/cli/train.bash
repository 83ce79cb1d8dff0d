# Puts the files here that COMMAND makes in an empty folder. tests/run has them made once for all tests, in $TT_FIXTURES.
fixture() { # NAME COMMAND...
  local folder=$TT_FIXTURES/$1
  (
    flock 9
    [ ! -d "$folder" ] || exit 0
    rm -rf "$folder.part" && mkdir "$folder.part" && cd "$folder.part" && "${@:2}" && mv "$folder.part" "$folder"
  ) 9>"$folder.lock" && cp -a "$folder/." .
}
make_corpus() {
  toy -q --train 400 --dev 30 --test 40 corpus && tt-bpe train -q --vocab-size 400 -o subword.model corpus/train.en corpus/train.ja
}
make_run() { prepare && quick_train -q -o run "$@" && rm -r corpus subword.model; }
make_copying_run() {
  prepare && tt-train $quick -q --train corpus/train.en corpus/train.en --subword subword.model -o run "$@" && rm -r corpus subword.model
}
# A small corpus of the embedded grammar with its subword model, and settings that train in seconds.
prepare() { fixture corpus make_corpus; }
# A folder of a run with these settings, which is trained once for all tests that name the same ones; "run" of N updates; and one that
# learns to copy.
trained() { # FOLDER SETTINGS...
  mkdir "$1.part" && (cd "$1.part" && fixture "run-$(cksum <<<"${*:2}" | cut -d ' ' -f 1)" make_run "${@:2}") &&
    rm -rf "$1" && mv "$1.part/run" "$1" && rmdir "$1.part"
}
trained_run() { trained run --max-updates "$1"; } # N
copying_run() { fixture copying make_copying_run --max-updates 200 --save-every 200; }
quick="--preset tiny --encoder-layers 1 --decoder-layers 1 --d-model 32 --d-ff 48 --heads 2 --tokens 400 --warmup 20 --rate 0.003
       --tokenize char --beam 2 --valid-every 0 --save-every 5"
quick_train() { tt-train $quick --train corpus/train.en corpus/train.ja --subword subword.model "$@"; }
# For examples of pages: a model that writes no unknown piece, and lines for it.
make_example() { prepare && quick_train -q -o run --max-updates 20 --forbid-unknown && mv run/update-0000020.tt model.tt && rm -r run &&
  head -n 20 corpus/test.en >test.en; }
example_model() { fixture example make_example; }
try() { "$@" >out; echo "exit status $?, $(wc -c <out) bytes"; }
