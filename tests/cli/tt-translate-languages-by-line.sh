# Columns of a table, and fields of JSON objects, say the languages of their line; each is translated as it would be with options.
. "$TT_ROOT/tests/cli/train.bash"
prepare
head -n 6 corpus/test.en >test.en; head -n 6 corpus/test.ja >test.ja
trained_run 20
tt-export -q --to ctranslate2 -o many run/update-0000020.tt
# Pieces of text become such that choose a language.
sed -i '100s/"[^"]*"/"eng_Latn"/; 101s/"[^"]*"/"jpn_Jpan"/; 102s/"[^"]*"/"zho_Hans"/; 103s/"[^"]*"/"zho_Hant"/' many/shared_vocabulary.json
sed -i 's/"decoder_start_token": "<s>"/"decoder_start_token": "<\/s>"/; s/"add_source_eos": true/"add_source_eos": false/' many/config.json
tt-import -q -o many.tt many
translate() { tt-translate -q -m many.tt "$@" 2>>errors; }
quietly() { "$@" 2>/dev/null; }

echo "-- columns: the options' languages, and others, by any of their names"
translate --from en --to ja <test.en >ja; translate --from en --to zh-TW <test.en >zh; translate --from ja --to en <test.en >en
cmp -s ja zh || echo "languages differ"
awk '{ print "x\t" $0 "\ten\tjpn_Jpan"; print "y\t" $0 "\t__en__\t<2zho_Hant>"; print "z\t" $0 "\t ja \t>>eng<<"; print "w\t" $0 "\t\t" }' test.en >table
translate --column 2 --from-column 3 --to-column 4 --from eng_Latn --to ja <table >translated; echo "exit status $?"
cut -f 2 translated | paste - - - - | tr '\t' '\n' >both
paste -d '\n' ja zh en ja | cmp - both && echo "as with options"
cut -f 1,3,4 table >rest; cut -f 1,3,4 translated | cmp - rest && echo "other columns stay"
translate --column 2 --from-column 3 --to-column 4 --from eng_Latn --to ja --batch-tokens 1 --threads 3 <table | cmp - translated &&
  echo "each by its line alone"

echo "-- JSON"
sed 's/.*/{"text": "&", "from": "en", "to": "ja"}/' test.en | translate --json --to zho_Hans | sed 's/.*"translation":"\([^"]*\)".*/\1/' | cmp - ja &&
  echo "as with options"
head -n 1 test.en | sed 's/.*/{"text": "&", "from": null}/' | translate --json --from en --to ja | grep -c translation

echo "-- lines whose languages are missing or unknown"
printf 'a\ten\tfr\nb\ten\t\nc\txx\tja\nd\ten\tzh\ne\n' | tt-translate -m many.tt --column 1 --from-column 2 --to-column 3; echo "exit status $?"
printf '%s\n' '{"text": "a", "from": "en", "to": 7}' '{"text": "a", "from": "en"}' '{"text": "a", "to": "ja"}' '{"text": "a", "from": "en", "to": ""}' \
  | quietly tt-translate -m many.tt --json --n-best 2; echo "exit status $?"
printf '%s\n' '{"text": "the dog", "from": "bob", "to": "fr"}' '{"text": "the dog", "from": "bob", "to": "alice"}' '{"text": "the dog", "to": "fr"}' |
  tt-translate -m run/update-0000020.tt --json >out; echo "exit status $?"; grep -c translation out; grep -o '"warning":.*' out
echo "-- of a model that chooses none"
printf '{"text": "the dog", %s}\n' '"from": "en"' '"from": 7' '"to": ["ja"]' '"from": null, "to": ""' '"from": "xx", "to": {}' '"to": true' |
  tt-translate -m run/update-0000020.tt --json >out; echo "exit status $?"; grep -c translation out; grep -o '"warning":.*' out
echo "-- of one that chooses both"
printf '{"text": "the dog", %s}\n' '"from": 7, "to": "ja"' '"from": "en", "to": ["ja"]' '"from": "en", "to": true' '"from": null, "to": ""' '"from": {}' |
  tt-translate -m many.tt --json --from en --to ja >out; echo "exit status $?"; grep -c translation out

echo "-- scores, alignments, attention"
paste test.en - <<<$'eng_Latn\njpn_Jpan\neng_Latn\neng_Latn\njpn_Jpan\neng_Latn' >table
translate --column 1 --from-column 2 --to ja --score test.ja <table >scored; echo "exit status $?"
translate --from en --to ja --score test.ja <test.en >en.scores; translate --from ja --to ja --score test.ja <test.en >jp.scores
for line in 1 2 3 4 5 6; do from=$(sed -n ${line}p table | cut -f 2 | cut -c 1-2); sed -n ${line}p $from.scores; done | cmp - <(cut -f 1 scored) &&
  echo "as with options"
translate --column 1 --from-column 2 --to ja --alignment hard <table | cut -f 3 >links
translate --from en --to ja --alignment hard <test.en | cut -f 2 | sed -n 1p | cmp - <(sed -n 1p links) && echo "the same links"
translate --column 1 --from-column 2 --to ja --attention - <table | grep -o '"source":\["[^"]*"' | paste -s
translate --column 1 --from-column 2 --to ja --trace trace -o /dev/null <table && grep -c jpn_Jpan trace

echo "-- text before a source, by its languages"
tt-train -q --from run/update-0000020.tt --source-prefixes 'en-ja=the dog' --train corpus/train.en corpus/train.ja -o prefixed --tokens 400 --max-updates 1
tt-model languages -m prefixed/update-0000001.tt
sed 's/^/the dog /' test.en | tt-translate -q -m prefixed/update-0000001.tt >expected
for languages in "--from en --to ja" "--to jpn"; do tt-translate -q -m prefixed/update-0000001.tt $languages <test.en | cmp - expected && echo "as in the line"
  done
tt-translate -q -m prefixed/update-0000001.tt --source-prefix 'the  dog ' <test.en | cmp - expected && echo "any text"
tt-translate -q -m prefixed/update-0000001.tt --to ja <<<"the dog $(head -n 1 test.en)" | cmp - <(head -n 1 expected) && echo "not twice"
sed 's/.*/{"text": "&", "from": "en", "to": "ja"}/' test.en | tt-translate -q -m prefixed/update-0000001.tt --json | sed 's/.*"translation":"\([^"]*\)".*/\1/' |
  cmp - expected && echo "by line"
try tt-translate -m prefixed/update-0000001.tt --to fr </dev/null
try tt-translate -m prefixed/update-0000001.tt --source-prefix '€ 5' </dev/null
try tt-translate -m prefixed/update-0000001.tt --source-prefix a --to ja </dev/null
try tt-translate -m prefixed/update-0000001.tt --source-prefix a --column 1 --to-column 2 </dev/null

echo "-- that lines begin with, or not"
tt-train -q --from run/update-0000020.tt --source-prefixes 'en-ja=the dog;en-zh=a cat' --train corpus/train.en corpus/train.ja -o two --tokens 400 \
  --max-updates 1
two() { tt-translate -m two/update-0000001.tt "$@" 2>&1; echo "exit status $?"; }
printf 'the dog runs\n\nthe dogs run\n a  cat runs\n' | two -q -o /dev/null
[ "$(tt-translate -m two/update-0000001.tt --from en --to zh <<<"the dog runs")" = "$(tt-translate -m two/update-0000001.tt <<<"the dog runs")" ] &&
  echo "a line comes before options"
object() { printf '{"text": "%s"%s}\n' "$1" "$2"; }
{ object 'the dog runs' ', "to": "zh"'; object 'the dog runs' ', "from": "eng", "to": "jpn"'; object 'the dog runs'; object 'the dogs' ', "to": null'; } |
  two --json | sed 's/"translation":.*/"translation"/'
object 'the dog runs' ', "to": "zh"' | two --json --source-prefix 'a cat' | grep -o '"warning.*\|^exit.*'

echo "-- usage"
for option in --from --to; do try tt-translate -m run/update-0000020.tt $option en </dev/null
  try tt-translate -m run/update-0000020.tt --column 1 $option-column 2 </dev/null; done
try tt-translate -m many.tt --to-column 2 </dev/null
try tt-translate -m many.tt --column 2 --to-column 2 </dev/null
