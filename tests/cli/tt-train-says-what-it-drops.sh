# Text that a training learns nothing of is reported, under -q and in the log as well, and gives status 3: pairs that are skipped, and text
# that the subword model cannot spell; a model of another language is refused.
. "$TT_ROOT/tests/cli/train.bash"
prepare
train="tt-train $quick --subword subword.model"
# Of 400 pairs, 300 longer than others, and 3 with nothing on a side.
sed '1,300s/$/ and the dog and the cat and the dog and the cat and the dog and the cat and the dog and the cat and the dog/' \
  corpus/train.en >long.en
sed '398,400s/.*//' corpus/train.ja >gaps.ja
warnings() { grep -o '"event":"warning".*' "$1" | sed 's/"event":"warning",//'; }
$train -q --max-length 50 --train long.en gaps.ja -o run --max-updates 3 --log log; echo "exit status $?"; warnings log
$train -q --max-length 50 --train long.en gaps.ja -o run --max-updates 3; echo "ended before: exit status $?"
echo 'with a store, made and read'
for run in made read; do $train -q --max-length 50 --train long.en gaps.ja -o $run --max-updates 3 --store pairs; echo "exit status $?"; done
echo 'another corpus'
$train -q --train corpus/train.en corpus/train.ja -o run --max-updates 6 --log log; echo "exit status $?"; warnings log | tail -n 2
echo 'a model of another language'
tt-bpe train -q --vocab-size 60 -o en.model corpus/train.en
none() { "$@" -q -o none; echo "exit status $?"; [ ! -e none ] || echo 'none is there'; }
none tt-train $quick --subword en.model --train corpus/train.en corpus/train.ja
none tt-train $quick --subword en.model --train corpus/train.ja corpus/train.en
paste corpus/train.en corpus/train.ja | none tt-train $quick --subword en.model --train -
none $train --train corpus/train.en corpus/train.ja --dev corpus/dev.en <(sed 's/.*/привет мир/' corpus/dev.ja) 2>&1 | sed 's:/dev/fd/[0-9]*:FILE:'
sed 's/.*/Привет, мир!/' corpus/dev.ja >other
none $train --train corpus/train.en corpus/train.ja --mix corpus/dev.en other 1
tt-train $quick -q --subword en.model --train corpus/train.en corpus/train.en -o english --max-updates 1; echo "exit status $?"
none tt-train --from english/update-0000001.tt --train corpus/train.en corpus/train.ja
echo 'some of it'
sed '1~3s/$/ ж ж/' corpus/train.en >some.en
$train --train some.en corpus/train.ja -o some --max-updates 1 --log some.log 2>&1 | grep -v 'cpu\|FLOP'; echo "exit status ${PIPESTATUS[0]}"
grep -o '"source_unknown":[0-9]*,"target_unknown":[0-9]*' some.log
echo 'development text'
paste -d ' ' corpus/dev.en <(sed 's/.*/ж ж/' corpus/dev.en) >some.dev
quick_train -q -o dev --max-updates 1 --dev some.dev corpus/dev.ja --log dev.log 2>err; echo "exit status $?"
cat err; warnings dev.log
echo 'what normalisation drops'
sed 's/[a-z]/&\x02/g' corpus/train.en >controls.en; sed '7s/$/\x02/' corpus/train.ja >one.ja
sed '3s/^/\x02/' corpus/dev.ja >controls.ja
dropped() { "$@" 2>&1 | grep 'normalisation'; echo "exit status ${PIPESTATUS[0]}"; }
dropped $train -q --train controls.en corpus/train.ja -o r1 --max-updates 1 --store r1.pairs --log r1.log; warnings r1.log
dropped $train -q --train controls.en corpus/train.ja -o r2 --max-updates 1 --store r1.pairs
dropped quick_train -q --mix corpus/train.en one.ja 1 -o r3 --max-updates 1
dropped quick_train -q --mix corpus/dev.en controls.ja 1 -o r4 --max-updates 1
dropped quick_train -q --dev corpus/dev.en controls.ja -o r5 --max-updates 1
dropped $train --train corpus/train.en one.ja -o r6 --max-updates 1
echo 'invisible characters and white space, of which nothing is dropped'
sed 's/[a-z]/&\xc2\xad/; s/ /\t/' corpus/train.en >soft.en; sed 's/ /　/' corpus/train.ja >wide.ja
dropped $train --train soft.en wide.ja -o r7 --max-updates 1
