# Every format, there and back: the same weights, bit by bit, and the same translations.
. "$TT_ROOT/tests/cli/train.bash"
prepare
head -n 20 corpus/test.en >test.en
# body FILE: the tensors without the header, which names the origin.
body() { tail -c +$((9 + $(od -A n -t u8 -N 8 "$1"))) "$1"; }
there_and_back() { # MODEL FORMAT
  tt-export -q --to "$2" -o "$2" "$1.tt"; tt-import -q -o back.tt "$2" || [ $? = 3 ] || return
  cmp <(body "$1.tt") <(body back.tt) && echo "$1, $2: the same bits"
  local search="--beam 2 --length-penalty length --alpha 1"
  [ "$2" != ctranslate2 ] || search=  # which comes back
  tt-translate -q -m "$1.tt" $search <test.en >here
  tt-translate -q -m back.tt $search <test.en >there
  cmp here there && echo "$1, $2: the same $(wc -l <here) lines"
  rm -r "$2"
}
trained run1 --max-updates 20
mv run1/update-0000020.tt plain.tt
there_and_back plain ctranslate2
there_and_back plain hugging-face
quick_train -q -o run2 --max-updates 20 --start zero --position-layout tensor2tensor --norm-epsilon 1e-6 --activation swish \
  --attention-bias --output-bias --embeddings target --narrow-beam --forbid-unknown --length-factor 3 --extra-length 0
mv run2/update-0000020.tt marian.tt
there_and_back marian marian
quick_train -q -o run4 --max-updates 20 --start zero --position-layout tensor2tensor --norm-epsilon 1e-6 --norm pre --ffn-layers 2 \
  --embeddings none --narrow-beam --length-factor 0.4 --extra-length 0 --activation gelu_erf
mv run4/update-0000020.tt prenorm.tt
there_and_back prenorm marian
quick_train -q -o run5 --max-updates 20 --norm pre --positions learned --scale-embeddings false --stop-when-full
mv run5/update-0000020.tt pre.tt
there_and_back pre ctranslate2
quick_train -q -o run3 --max-updates 20 --start zero --position-layout concatenated --embeddings none --activation gelu_logistic
mv run3/update-0000020.tt zero.tt
there_and_back zero hugging-face
quick_train -q -o run6 --max-updates 20 --start zero --position-layout concatenated --embeddings none --activation gelu_logistic \
  --stop-when-full
mv run6/update-0000020.tt full.tt
there_and_back full ctranslate2
# Marian translates with pre-norm otherwise than it trains.
tt-export -q --to marian -o prenorm prenorm.tt 2>&1 | grep -v 'search settings'
tt-import -q -o back.tt prenorm 2>&1; echo "status $?"
# Every file of an earlier version has a setting that no longer exists; one in which it had an effect is refused.
for model in plain pre; do
  for value in 'false   ' 'true    '; do
    LC_ALL=C sed 's/\\"narrow_beam\\":\(true\|false\)/\\"raw_keys\\":'"$value/" $model.tt >earlier.tt
    tt-model config -m earlier.tt 2>&1 >earlier.json && grep -c raw_keys earlier.json | named "$model, raw_keys ${value%% *}: settings of that name"
  done
done
# Models as mBART and BART are, and as M2M-100 without languages.
quick_train -q -o run8 --max-updates 20 --norm pre --embedding-norm --positions learned --output-bias --attention-bias --length-penalty length
mv run8/update-0000020.tt mbart.tt
there_and_back mbart hugging-face
there_and_back mbart ctranslate2
quick_train -q -o run9 --max-updates 20 --embedding-norm --positions learned --length-penalty length
mv run9/update-0000020.tt bart.tt
there_and_back bart hugging-face
there_and_back bart ctranslate2
# In eight bits: as tt-average makes them of what was imported.
tt-export -q --to hugging-face -o hf plain.tt 2>/dev/null; tt-import -q -o back.tt hf
tt-average -q --int8 -o small.tt back.tt; tt-import -q --int8 -o eight.tt hf
cmp <(body small.tt) <(body eight.tt) && echo "the same eight bits"
tt-translate -q -m small.tt <test.en >here; tt-translate -q -m eight.tt <test.en | cmp - here && echo "the same lines"
rm -r hf
# Settings that a format has no place for are reported.
lost() { tt-export --to "$1" -o lost "$2" 2>&1 | grep -o 'search settings.*'; rm -r lost; }
lost hugging-face marian.tt; lost ctranslate2 marian.tt; lost marian prenorm.tt; lost hugging-face full.tt
# Settings of search come back; a folder of CTranslate2 that has none is searched as by CTranslate2.
search() { tt-model config -m "$1" | grep -o '"\(beam\|length_penalty\|alpha\|stop_when_full\|length_factor\)": [^,]*'; }
# Without a penalty is with the exponent 0.
quick_train -q -o run7 --max-updates 1 --start zero --position-layout concatenated --length-penalty none
lost hugging-face run7/update-0000001.tt; tt-export -q --to hugging-face -o none run7/update-0000001.tt
tt-import -q -o back.tt none; search back.tt | grep -v beam
tt-export -q --to ctranslate2 -o ct2 plain.tt
tt-import -q -o back.tt ct2; diff <(search plain.tt) <(search back.tt) && echo "the same search"
echo '{}' >ct2/config.json
tt-import -q -o back.tt ct2; search back.tt
for setting in '{"beam": 0}' '{"d_model": 4}' '{"beams": 4}' '[]'; do
  echo "{\"tt_search\": $setting}" >ct2/config.json
  tt-import -q -o back.tt ct2 2>&1
done
true
