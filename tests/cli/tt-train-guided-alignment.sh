# Links of the training text go with their pairs: those of pairs that are skipped too, of files that are compressed or piped, of several
# corpora, and with a store. Those that are none are reported, under -q and in the log as well, and give status 3.
. "$TT_ROOT/tests/cli/train.bash"
exec 2>&1
prepare
tt-bpe train -q --vocab-size 400 --coverage 1 -o subword.model corpus/{train,dev}.{en,ja}  # no run ends with status 3 for its pieces
# The first of each word is linked to the first of the other side.
sed 's/.*/0-0/' corpus/train.en >links; sed 's/.*/0-0/' corpus/dev.en >dev.links
gzip -k links
train="tt-train -q --report-every 2 $quick --decoder-layers 2 --max-updates 6 --subword subword.model"
same() { cmp "$1/update-0000006.tt" "$2/update-0000006.tt" && echo same; }
$train --train corpus/train.en corpus/train.ja --guided-alignment links -o one --threads 1 --log log; echo "exit status $?"
tt-model config -m one/update-0000006.tt | grep alignment
grep -c '"alignment_loss":' log
$train --train corpus/train.en corpus/train.ja --guided-alignment links.gz -o gzip --threads 3; same one gzip
paste corpus/train.en corpus/train.ja | $train --train - --guided-alignment links -o pipe --store /dev/null; echo "exit status $?"
cat links | $train --train corpus/train.en corpus/train.ja --guided-alignment - -o pipe; same one pipe
for run in made read; do $train --train corpus/train.en corpus/train.ja --guided-alignment links -o $run --store pairs; same one $run; done
$train --train corpus/train.en corpus/train.ja --guided-alignment links -o half --max-updates 3
tt-train -q --resume half --max-updates 6; same one half
echo 'a run that goes on with links, and with others'
$train --train corpus/train.en corpus/train.ja -o later --max-updates 3
tt-train -q --resume later --max-updates 6 --guided-alignment links --log later.log; grep -c '"alignment_loss":' later.log
cp -r half other; sed 's/.*/0-0 1-1/' links >others
tt-train -q --resume other --max-updates 9 --guided-alignment others; tt-train -q --resume other --max-updates 12 --log other.log
tt-train -q --resume half --max-updates 12; cmp -s {half,other}/update-0000012.tt || echo 'other links, another model'
tt-train -q --resume half --guided-alignment links --guided-alignment links; echo "exit status $?"
echo 'two corpora, with links of the first alone, of both'
two() { $train --train corpus/train.en corpus/train.ja --mix corpus/dev.en corpus/dev.ja 1 "$@"; echo "exit status $?"; }
two --guided-alignment links -o first; two --guided-alignment links --guided-alignment dev.links -o both
two --guided-alignment links --guided-alignment dev.links --guided-alignment links -o none
echo 'another layer, and what a model begins with'
$train --train corpus/train.en corpus/train.ja --guided-alignment links --alignment-layer 2 --alignment-head 2 -o last
$train --from last/update-0000006.tt --train corpus/train.en corpus/train.ja -o tuned
tt-model config -m tuned/update-0000006.tt | grep alignment
$train --train corpus/train.en corpus/train.ja --guided-alignment links --alignment-layer 3 -o none; echo "exit status $?"
echo 'links that are none'
sed '3s/.*/0-0 1-x/; 5s/.*/99-0/; 7s/.*//' links >bad
$train --train corpus/train.en corpus/train.ja --guided-alignment bad -o bad.run --log bad.log; echo "exit status $?"
grep -o '"event":"warning".*' bad.log
head -n 399 links >short; { cat links; echo 0-0; } >long; sed 's/.*/5000-0/' links >none.links
# Counted from 1, of an aligner that stopped, and of pairs that are skipped.
awk '{ print "1-0 " NF "-0" }' corpus/train.en >from-1; awk '{ print NR < 150 ? "0-0" : "" }' links >stopped
{ echo; sed 1d corpus/train.en; } >empty.en
for file in from-1 stopped; do
  $train --train corpus/train.en corpus/train.ja --guided-alignment $file -o $file.run; echo "exit status $?"
done
$train --train empty.en corpus/train.ja --guided-alignment links -o empty.run; echo "exit status $?"
for file in short long none.links /dev/null missing; do
  $train --train corpus/train.en corpus/train.ja --guided-alignment $file -o none; echo "exit status $?"
done
tt-train -q --type lstm --preset tiny --train corpus/train.en corpus/train.ja --subword subword.model --guided-alignment links -o none
echo "exit status $?"
[ ! -e none ] || echo 'none is there'
echo '-- capitals that the subword model lacks'
$train --train corpus/train.en corpus/train.ja --upper-case 0.5 -o capitals | sed 's/([^)]* \.\.\.)/(...)/'; echo "exit status ${PIPESTATUS[0]}"
$train --train corpus/train.en corpus/train.ja --guided-alignment links --guided-alignment-weight 0 -o none; echo "exit status $?"
