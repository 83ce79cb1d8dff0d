# A small corpus of the embedded grammar with its subword model, and settings that train in seconds.
prepare() {
  toy -q --train 400 --dev 30 --test 40 corpus
  tt-bpe train -q --vocab-size 400 -o subword.model corpus/train.en corpus/train.ja
}
quick="--preset tiny --encoder-layers 1 --decoder-layers 1 --d-model 32 --d-ff 48 --heads 2 --tokens 400 --warmup 20 --rate 0.003
       --tokenize char --beam 2 --valid-every 0 --save-every 5"
quick_train() { tt-train $quick --train corpus/train.en corpus/train.ja --subword subword.model "$@"; }
try() { "$@" >out; echo "exit status $?, $(wc -c <out) bytes"; }
