# Whether a source ends with </s> is a setting of a model. A folder of CTranslate2 has it, or leaves it open.
. "$TT_ROOT/tests/cli/train.bash"
prepare
head -n 20 corpus/test.en >test.en; head -n 20 corpus/test.ja >test.ja
trained run --max-updates 20 --source-eos false
tt-translate -q -m run/update-0000020.tt <test.en >without
tt-export -q --to ctranslate2 -o ct2 run/update-0000020.tt
grep add_source_eos ct2/config.json
import() { tt-import -q -o back.tt "$@" ct2 && tt-model config -m back.tt | grep source_eos; }
import
# Folders of others do not say that.
sed -i '/"tt_called_with"/,/}/d' ct2/config.json
# The program knows it from the beginning of the decoder: OpenNMT's.
import && tt-translate -q -m back.tt <test.en | cmp - without && echo "the same translations"
# A source that begins with <s> may end without </s>, in a vocabulary of OpenNMT, too.
sed -i.bak 's/"add_source_bos": false/"add_source_bos": true/' ct2/config.json; import
sed -i.bak '30s/"[^"]*"/"<blank>"/' ct2/shared_vocabulary.json; import
for file in config shared_vocabulary; do mv ct2/$file.json.bak ct2/$file.json; done
# Folders of transformers say the same, and mean the opposite.
sed -i 's/"decoder_start_token": "<s>"/"decoder_start_token": "<\/s>"/' ct2/config.json
import; import --source-eos no; import --source-eos yes
tt-translate -q -m back.tt <test.en | cmp -s - without || echo "other translations"
sed -i 's/"add_source_eos": false/"add_source_eos": true/' ct2/config.json
import
# Scores and attention are of the same source as the translation; a blank line has none.
tt-translate -q -m run/update-0000020.tt --score test.ja <test.en | wc -l | named "scores"
attention() { tt-translate -q -m $1 --attention - <test.en | grep -c '</s>"\],"target'; }
attention run/update-0000020.tt | named "sources that end with </s>, without the setting"; attention back.tt | named "with it"
tt-translate -q -m run/update-0000020.tt --alignment hard <test.en | wc -l | named "alignments"
printf '\n \n' | tt-translate -q -m run/update-0000020.tt | wc -l | named "blank lines"
# Others have no such sources.
for format in marian hugging-face; do tt-export -q --to $format -o $format run/update-0000020.tt; echo "exit status $?"; done
