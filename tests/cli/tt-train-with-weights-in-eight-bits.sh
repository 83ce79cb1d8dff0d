# Training with weights in eight bits at its end: they are validated so, and the best checkpoints are chosen among those that were; a run
# goes on to the same bits, with any number of threads; in eight bits a checkpoint translates as before.
. "$TT_ROOT/tests/cli/train.bash"
prepare
eight() { quick_train --dev corpus/dev.en corpus/dev.ja --extra-length 2 --valid-every 5 --keep-last 2 "$@"; }
eight -q -o whole --quantize-from 16 --max-updates 20 --threads 2
eight -q -o parts --quantize-from 16 --max-updates 18 --threads 1
eight -q -o parts --quantize-from 16 --max-updates 20 --threads 1
cmp whole/update-0000020.tt parts/update-0000020.tt && echo "the same bits"
eight -q -o plain --max-updates 20
cmp -s plain/update-0000020.tt whole/update-0000020.tt || echo "others afterwards"
tt-average -q -o best.tt --best 2 whole && echo "two were validated in eight bits"
try tt-average -q -o best.tt --best 3 whole
eight -q -o early --quantize-from 6 --max-updates 5 2>&1
echo "Fine-tuning"
eight -q -o tuned --from plain/update-0000020.tt --quantize-from 1 --rate 0.0001 --schedule constant --max-updates 5
tt-average -q --int8 -o int8.tt --last 1 tuned
tt-translate -q -m int8.tt --extra-length 2 <corpus/dev.en | cmp - <(tt-translate -q --int8 -m tuned/update-0000005.tt --extra-length 2 <corpus/dev.en) &&
  echo "as --int8"
tt-train --print-config --quantize-from 7 | grep quantize
try tt-train --print-config --quantize-from -1
