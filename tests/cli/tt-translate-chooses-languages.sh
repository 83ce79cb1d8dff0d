# A model of many languages reads that of the source before it, and writes that of the target first, which is none of the text.
. "$TT_ROOT/tests/cli/train.bash"
prepare
head -n 20 corpus/test.en >test.en; head -n 20 corpus/test.ja >test.ja
trained_run 20
tt-export -q --to ctranslate2 -o many run/update-0000020.tt
# Two pieces of text become two that choose a language.
sed -i '100s/"[^"]*"/"eng_Latn"/; 101s/"[^"]*"/"jpn_Jpan"/; 102s/"[^"]*"/"zho_Hans"/; 103s/"[^"]*"/"zho_Hant"/' many/shared_vocabulary.json
sed -i 's/"decoder_start_token": "<s>"/"decoder_start_token": "<\/s>"/; s/"add_source_eos": true/"add_source_eos": false/' many/config.json
tt-import -q -o many.tt many
tt-model config -m many.tt | grep -E 'language|source_eos'
tt-model languages -m many.tt
try tt-translate -m many.tt --from en <test.en
try tt-translate -m many.tt --from fr --to ja <test.en
try tt-translate -m many.tt --from en --to zh <test.en
try tt-translate -m run/update-0000020.tt --to ja <test.en
tt-translate -q -m many.tt --from en --to ja <test.en >one; wc -l <one | named "lines"; grep -c _Jpan one | named "lines with the piece of a language"
tt-translate -q -m many.tt --from eng_Latn --to jpn_Jpan --batch-tokens 1 <test.en | cmp - one && echo "the same by any name"
tt-translate -q -m many.tt --from en --to ja --attention - <test.en | head -n 1 | grep -o '"source":\["[^"]*"\|"target":\["[^"]*"'
tt-translate -q -m many.tt --from en --to ja --alignment hard <test.en | wc -l | named "lines with alignment"
tt-translate -q -m many.tt --from en --to ja --score test.ja <test.en | wc -l | named "lines with a score"
printf '\n' | tt-translate -q -m many.tt --from en --to ja
try tt-train -q $quick --train corpus/train.en corpus/train.ja --subword subword.model -o other --source-language before
try tt-export --to marian -o out many.tt
tt-export -q --to ctranslate2 -o again many.tt; tt-import -q -o back.tt again && tt-model config -m back.tt | grep -c language |
  named "settings of languages that come back"
