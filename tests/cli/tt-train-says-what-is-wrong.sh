# Each mistake gives one line that says what is wrong and where, and exit status 1 or 2; nothing existing is lost.
. "$TT_ROOT/tests/cli/train.bash"
prepare
head -n 399 corpus/train.ja >short.ja
: >empty
printf 'good\nbad \xff\n' >bytes.en
printf 'a\nb\n' >two.ja
quick_train -q -o run --max-updates 2 --save-every 1
sha256sum run/* >before
files="--subword subword.model -o new"
try tt-train $quick $files --train corpus/train.en short.ja
try tt-train $quick $files --train empty empty
try tt-train $quick $files --train corpus/train.en none
try tt-train $quick $files --train bytes.en two.ja
try tt-train $quick $files --train corpus/train.en . 
try tt-train $quick --train corpus/train.en corpus/train.ja --subword corpus/train.en -o new
try tt-train $quick --train corpus/train.en corpus/train.ja --subword subword.model -o subword.model
try quick_train -o new --d-model 30 --heads 4
try quick_train -o new --patience 3
try quick_train -o new/run --log none/log
[ ! -e new ] || echo 'new is left'
echo '{"d_modle": 64}' >unknown.json
try quick_train -o new --config unknown.json
echo '{"heads": 2,' >broken.json
try quick_train -o new --config broken.json
try quick_train -o new --config none.json
printf '{"d_model": 64}\0' >nul.json
try quick_train -o new --config nul.json
# Files that have another use
printf '{"rate": 0.01}' >rate.json
try quick_train -o new --config rate.json --log rate.json
try quick_train -o new --store store --log store
try quick_train -o run --log run/../run/state.tt
try tt-train $quick --subword subword.model -o new --train - --dev - short.ja
try tt-train $quick --config - --subword subword.model -o new --train -
try quick_train -o new --dev "" short.ja
try tt-train $quick --from - -o new --train corpus/train.en corpus/train.ja
printf '{"my": "notes"}' >notes
quick_train -q -o run --max-updates 2 --log notes; cat notes
# A folder that holds another run
try quick_train -o run --max-updates 4 --d-ff 64
head -c 4000 run/state.tt >state; cp -r run cut; cp state cut/state.tt; cp state cut/previous.tt
try quick_train -o cut --max-updates 4 2>err
sed "s/need [0-9]*/need N/g" err >&2
# Usage
try tt-train --train corpus/train.en
try quick_train -o new --dropout 1
try quick_train -o new --preset huge
try quick_train -o new --drop-out 0.1
sha256sum --quiet -c before
