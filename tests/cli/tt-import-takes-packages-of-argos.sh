# A package is a zip archive of a model of CTranslate2 and a SentencePiece model, or the folder that it becomes.
. "$TT_ROOT/tests/cli/train.bash"
prepare
head -n 20 corpus/test.en >test.en
quick_train -q -o run --max-updates 20 --source-eos false
tt-export -q --to ctranslate2 -o en_ja/model run/update-0000020.tt
rm en_ja/model/*.spm; cp subword.model en_ja/sentencepiece.model
echo '{"from_name": "English", "to_name": "Japanese", "package_version": "1.0"}' >en_ja/metadata.json
# archive FOLDER: a zip archive of its files, stored.
archive() {
  local file size crc at=0 count=0
  : >directory
  le() { local i; for ((i = 0; i < $2; i++)); do printf "\\x$(printf %02x $(($1 >> (8 * i) & 255)))"; done; }
  while read -r file; do
    size=$(stat -c %s "$file")
    crc=$(gzip -c "$file" | tail -c 8 | head -c 4 | od -A n -t u4 | tr -d ' ')
    { le 20 2; le 0 2; le 0 2; le 0 4; le "$crc" 4; le "$size" 4; le "$size" 4; le ${#file} 2; le 0 2; } >common
    { printf 'PK\3\4'; cat common; printf %s "$file"; cat "$file"; }
    { printf 'PK\1\2'; le 20 2; cat common; le 0 2; le 0 2; le 0 2; le 0 4; le $at 4; printf %s "$file"; } >>directory
    at=$((at + 30 + ${#file} + size)); count=$((count + 1))
  done < <(find "$1" -type f | sort)
  cat directory; printf 'PK\5\6'; le 0 4; le $count 2; le $count 2; le "$(stat -c %s directory)" 4; le $at 4; le 0 2
}
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
