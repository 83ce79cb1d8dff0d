# An output file is not touched before there is something to write, and none is left by a failed start; a file that is being
# read is no output; a name that is empty, and "-" where a folder is meant, are refused.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 2
cp run/update-0000002.tt model.tt
# NAME COMMAND...: says what has become of the file NAME, which the command has as its output.
keeps() {
  local name=$1 before
  shift
  before=$([ -e "$name" ] && cksum <"$name")
  "$@" >out 2>err
  echo "exit status $?: $(sed 's/^\(.\{90\}\).*/\1.../' err | head -n 1)"
  [ "$([ -e "$name" ] && cksum <"$name")" = "$before" ] || echo "$name has changed"
}
echo precious >old
for name in old new; do
  keeps $name tt-model config -m nosuch -o $name
  keeps $name tt-model tensor -m model.tt -o $name nosuch
  head -c 5 <(gzip -c corpus/dev.en) >damaged.gz
  keeps $name tt-translate -q -m model.tt --attention $name damaged.gz
  keeps $name tt-train -q --train corpus/train.en corpus/train.ja --subword subword.model --dev none none -o newer --store $name
done
head -n 2 corpus/dev.en >lines.en
keeps model.tt tt-translate -q -m model.tt --attention model.tt lines.en
keeps lines.en tt-translate -q -m model.tt --attention ./lines.en lines.en
keeps lines.en tt-translate -q -m model.tt --trace ./lines.en lines.en
tt-translate -q -m model.tt --extra-length 2 --trace trace lines.en >out
keeps trace tt-trace -o trace trace
limited() { (ulimit -f 8; "$@"); }
keeps old limited tt-average -o old model.tt
keeps model.tt tt-average --int8 -o model.tt model.tt
keeps run/update-0000002.tt tt-average -o run/update-0000002.tt --last 1 run
keeps old tt-translate -q -m model.tt --score - --attention old
printf 'a\nb\n' >pieces; cp corpus/train.en text; run_log() { quick_train -q -o logged --max-updates 1 --log "$@"; }
keeps pieces tt-translate -q -m model.tt --forbid pieces --attention pieces lines.en
keeps text tt-bpe train -q --vocab-size 60 -o text text
keeps corpus/train.en run_log corpus/train.en
keeps corpus/dev.ja run_log ./corpus/dev.ja --dev corpus/dev.en corpus/dev.ja
quick_train -q -o run --max-updates 3 --log log
keeps log tt-log-plot --format png -o log log
printf 'a\tb\n1\t2\n' >table
quick_train -q -o placed --max-updates 1 --positions learned; cp placed/update-0000001.tt positions
keeps positions tt-pe-plot --format png -m positions -o positions
tt-translate -q -m model.tt -o both --attention ./both lines.en
keeps table tt-table-plot --format png -o table table
trained zero --max-updates 1 --start zero --position-layout tensor2tensor --norm-epsilon 1e-6
tt-export -q --to marian -o marian zero/update-0000001.tt
mkdir elsewhere && mv marian/vocab.spm elsewhere && sed -i 's|vocab.spm|../elsewhere/vocab.spm|' marian/decoder.yml
keeps elsewhere/vocab.spm tt-import -q -o elsewhere/vocab.spm marian
tt-export -q --to ctranslate2 -o ct2 model.tt; cp model.tt ct2/model.bin
keeps ct2/model.bin tt-export -q --to ctranslate2 -o ct2 ct2/model.bin
printf 'a\tb\n' >pairs
keeps pairs tt-clean -o pairs pairs
for name in old new; do keeps $name tt-clean -o $name lines.en; done
for command in "config" "tensor encoder.1.ffn.in_bias"; do
  cp model.tt copy.tt
  keeps copy.tt tt-model $command -m copy.tt -o copy.tt
done
try tt-translate -q -m model.tt --attention "" lines.en
try quick_train -q -o other --max-updates 1 --log ""
try quick_train -q -o - --max-updates 1
try tt-export --to ctranslate2 -o - model.tt
try tt-pe-plot --tsv --dimensions ""
[ ! -e other ] && [ ! -e ./- ] && echo "nothing was made"
# Input that can be read only once
tt-train --type lstm --config <(echo '{"d_model": 32}') --print-config | grep '"d_model"'
quick_train -q --subword <(cat subword.model) -o piped --max-updates 2 && cmp piped/update-0000002.tt model.tt && echo "a subword model from a pipe"
! ls | grep partial
