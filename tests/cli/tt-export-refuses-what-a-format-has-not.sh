. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 1
refused() { tt-export -q "$@"; echo "exit status $?"; }
refused --to marian -o out run/update-0000001.tt
refused --to hugging-face -o out subword.model
quick_train -q -o pre --max-updates 1 --norm pre --ffn-layers 2
refused --to hugging-face -o out pre/update-0000001.tt
refused --to ctranslate2 -o out pre/update-0000001.tt
quick_train -q -o learned --max-updates 1 --positions learned --scale-embeddings false --start zero --norm-epsilon 1e-6
refused --to marian -o out learned/update-0000001.tt
quick_train -q -o rms --max-updates 1 --norm-type rms
for format in hugging-face marian; do refused --to $format -o out rms/update-0000001.tt; done
quick_train -q -o inputs --max-updates 1 --embeddings inputs --window 3
for format in ctranslate2 hugging-face marian; do refused --to $format -o out inputs/update-0000001.tt; done
quick_train -q -o widths --max-updates 1 --d-k 5 --d-v 7
refused --to ctranslate2 -o out widths/update-0000001.tt
refused --to onnx -o out pre/update-0000001.tt
[ -e out ] || echo "nothing was written"
# Files of another model, and an empty subword model
mkdir left && touch left/source_vocabulary.json left/target_vocab.json
refused --to ctranslate2 -o left run/update-0000001.tt
refused --to hugging-face -o left run/update-0000001.tt
ls left
# A folder of another format stays what it is.
trained zero --max-updates 1 --start zero --position-layout tensor2tensor --norm-epsilon 1e-6
for format in ctranslate2 hugging-face marian; do
  tt-export -q --to $format -o $format zero/update-0000001.tt
  cp -r $format before
  for other in ctranslate2 hugging-face marian; do
    [ $other = $format ] || refused --to $other -o $format zero/update-0000001.tt
  done
  diff -r before $format && rm -r before
  tt-export -q --to $format -o $format zero/update-0000001.tt; echo "again: exit status $?"
done
tt-export -q --to ctranslate2 -o folder run/update-0000001.tt
: >folder/source.spm
tt-import -q -o back.tt folder; echo "exit status $?"
