# A package is a zip archive of a model of CTranslate2 and a SentencePiece model, or the folder that it becomes.
. "$TT_ROOT/tests/cli/train.bash"
. "$TT_ROOT/tests/cli/archive.bash"
prepare
head -n 20 corpus/test.en >test.en
trained run --max-updates 20 --source-eos false
tt-export -q --to ctranslate2 -o en_ja/model run/update-0000020.tt
rm en_ja/model/*.spm; cp subword.model en_ja/sentencepiece.model
echo '{"from_name": "English", "to_name": "Japanese", "package_version": "1.0"}' >en_ja/metadata.json
archive en_ja >en_ja.argosmodel
tt-import -o package.tt en_ja.argosmodel 2>&1 | sed 's/: argos, .*/: argos/'
tt-translate -q -m run/update-0000020.tt --beam 4 --length-penalty length --alpha 0.2 <test.en >here
tt-translate -q -m package.tt <test.en | cmp - here && echo "the same translations"
tt-import -q -o folder.tt en_ja; echo "exit status $?"; cmp <(tail -c 9000 folder.tt) <(tail -c 9000 package.tt) && echo "the same model"
import() { tt-import -q -o back.tt "$@" 2>&1; echo "  exit status $?"; }
echo '{"target_prefix": "__es__"}' >en_ja/metadata.json; import en_ja
rm en_ja/sentencepiece.model; echo '{}' >en_ja/metadata.json
printf '#version: 0.2\nt h\nth e</w>\n' >en_ja/bpe.model; import en_ja
archive en_ja >bpe.argosmodel; import bpe.argosmodel
printf '#version: 0.2\nt h e\n' >en_ja/bpe.model; import en_ja
head -c 9000 en_ja.argosmodel >cut.argosmodel; import cut.argosmodel
import --from argos subword.model
