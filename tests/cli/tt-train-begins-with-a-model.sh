# Fine-tuning: a run begins with a model, says what it took, keeps what is frozen, and goes on like any other. Corpora have weights.
. "$TT_ROOT/tests/cli/train.bash"
prepare
quick_train -q -o run --max-updates 10 --save-every 10
cp run/update-0000010.tt model.tt
from() { tt-train --preset tiny --tokens 400 --warmup 5 --valid-every 0 --beam 2 --train corpus/dev.en corpus/dev.ja --from "$@"; }
tune() { from model.tt "$@"; }
said() { grep took "$1" | sed 's/^tt-train: //'; }
tune -o tuned --freeze encoder,embeddings --max-updates 3 2>err; said err
compare() {
  for name in embeddings encoder.1.ffn.in decoder.1.ffn.in; do
    cmp -s <(tt-model tensor -m model.tt $name) <(tt-model tensor -m "$1" $name) && echo "$name as it was" || echo "$name is another"
  done
}
compare tuned/update-0000003.tt
# Also in an average of weights
tune -q -o averaged --freeze encoder,embeddings --average-decay 0.9 --max-updates 12 2>/dev/null; compare averaged/update-0000012.tt
tune -q -o tuned --freeze encoder,embeddings --max-updates 5 2>err; said err; ls tuned
# Options of a run that is resumed
cp tuned/update-0000005.tt other.tt
again() { from "$@" -o tuned --alpha 1 2>err; grep -E 'now|has no' err; }
again model.tt --freeze encoder --max-updates 6
again other.tt --freeze encoder --max-updates 7
# Another vocabulary
tt-bpe train -q --vocab-size 370 -o small.model corpus/train.en corpus/train.ja
tune -o small --subword small.model --max-updates 1 2>err; said err | sed 's/took [0-9]* of 370/took some of 370/'
# Options of a run that is not: a rate for its width, and an end. The first validation is of the model as it was.
tt-train --from model.tt --print-config | grep -E '"(schedule|rate|warmup|tokens|max_updates|valid_every)"'
tune -q -o valid --valid-every 2 --max-updates 2 --dev corpus/dev.en corpus/dev.ja --log valid.log 2>/dev/null
grep -o '"valid","update":[0-9]*' valid.log
# It goes on with its folder alone, from anywhere, with other limits if they are given.
tune -q -o whole --max-updates 6 --log whole.log; tune -q -o part --max-updates 3 --log part.log
mkdir else; (cd else; tt-train --resume ../part --max-updates 6 -q 2>/dev/null); cmp {whole,part}/update-0000006.tt &&
  grep -o '"event":"end".*"update":[0-9]*' part.log
tt-train --resume part; try tt-train --resume corpus; try tt-train --resume part -o other
# Weights
tune -o mixed --mix corpus/train.en corpus/train.ja 0.1 --max-updates 2 2>err; grep -o '^tt-train: [0-9,]* pairs' err
try tune -q -o no --freeze decoders
try tune -q -o no --mix corpus/train.en corpus/train.ja many
try tune -q -o no --mix corpus/train.en corpus/train.ja
try tt-train -q --from corpus/train.en --train corpus/dev.en corpus/dev.ja -o no
try tune -q -o no --d-model 16 --d-ff 16 --encoder-layers 2
try from model.tt -q -o no --type lstm
tt-average -q --int8 -o eight.tt model.tt
try from eight.tt -q -o no
# One bit; a name that no state can hold; two vocabularies that become one
{ head -c 40000 model.tt; printf '\377'; tail -c +40002 model.tt; } >flipped.tt
try from flipped.tt -q -o no 2>&1 | sed 's/checksum is .*/checksum is .../'
cp model.tt $'m\xfcd.tt'
try from $'m\xfcd.tt' -q -o no 2>&1 | LC_ALL=C tr -d '\374'
for l in en ja; do tt-bpe train -q --vocab-size 350 -o $l.model corpus/train.$l; done
tt-train $quick --train corpus/train.en corpus/train.ja -q -o two --subword en.model ja.model --embeddings target --max-updates 1
from two/update-0000001.tt -o one --embeddings shared --subword small.model --max-updates 1 2>err; said err | sed 's/took [0-9]* of/took some of/'
[ ! -e no ] || echo "no is there"
