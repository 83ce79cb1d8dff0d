# A request as CGI has it is answered with what tt-translate gives, or with a status and a sentence.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 60
mkdir models
cp run/update-0000060.tt models/en-ja.base.tt
export TT_MODELS=models
# Status and body of the answer to METHOD PATH [TYPE BODY [OPTION...]].
ask() {
  local body=${4-} status
  printf %s "$body" | REQUEST_METHOD=$1 PATH_INFO=$2 CONTENT_TYPE=${3-} CONTENT_LENGTH=$(printf %s "$body" | wc -c) tt-cgi "${@:5}" >answer
  status=$?
  sed -n '1s/^Status: \([^\r]*\)\r$/\1/p; s/^Allow: .*[a-zA-Z]/&/p' answer | tr -d '\r' | paste -sd ' '
  [ $status = 0 ] || echo "exit status $status"
  sed '1,/^\r$/d' answer
}
json() { ask POST /translate application/json "$@"; }
text() { sed -E 's/.*"translatedText":"([^"]*)".*/\1/'; }  # of the answer to one
ask GET /languages
ask GET /health
ask HEAD /frontend/settings
sed -n '2,/^\r$/p' answer | tr -d '\r'
# Lines, paragraphs and lists are as those of tt-translate.
t() { tt-translate -q -m models/en-ja.base.tt --sentences en --keep urls,emails,placeholders "$@"; }
head -n 12 corpus/test.en >lines
{ sed -n 1,2p lines | paste -sd ' '; echo; sed -n '3,12p' lines; } >paragraphs
json "{\"q\":\"$(sed ':a;N;$!ba;s/\n/\\n/g' paragraphs)\",\"source\":\"en\",\"target\":\"ja\"}" | tail -n 1 | text >one
{ t <paragraphs | sed ':a;N;$!ba;s/\n/\\n/g'; } | cmp - one && echo "paragraphs as by tt-translate"
json "{\"q\":[$(sed 's/.*/"&"/' lines | paste -sd ,)],\"source\":\"en\",\"target\":\"ja\"}" | tail -n 1 | grep -o '\[.*\]' | tr -d '[]"' | tr , '\n' >list
t <lines | cmp - list && echo "lists as by tt-translate"
json '{"q":"<p>The <b>dog</b> eats.</p>","source":"en","target":"ja","format":"html"}' | text | grep -v OK |
  cmp - <(t --markup html <<<'<p>The <b>dog</b> eats.</p>') && echo "markup as by tt-translate"
json '{"q":"The dog eats. \u00e4","source":"en","target":"ja"}' --max-seconds 60 | grep -v '^200' | sed 's/"translatedText":"[^"]*"/.../'
json '{"q":["The dog eats.","\ud800"],"source":"en","target":"ja","alternatives":2}' >out; sed -E 's/"[^"]*[^ -~][^"]*"/TEXT/g' out
json '{"q":"The dog eats.","source":"en","target":"ja","alternatives":1}' | grep -o '"alternatives":\["[^"]*"\]' | sed 's/.*:\["//; s/"\]//' >second
t --n-best 2 <<<"The dog eats." | sed -n '2s/.*||| \(.*\) ||| LogProb.*/\1/p' | cmp - second && echo "the second best is the alternative"
# Forms, and a query.
ask POST /translate 'application/x-www-form-urlencoded; charset=UTF-8' 'q=The+dog%20eats.&source=en&target=ja' | text | grep -v OK >form
t <<<"The dog eats." | cmp - form && echo "a form"
printf -- '--X\r\nContent-Disposition: form-data; name="q"\r\n\r\nThe dog eats.\r\n--X\r\nContent-Disposition: form-data; name="target"\r\n\r\nja\r\n--X--\r\n' >parts
QUERY_STRING='source=en' ask POST /translate 'multipart/form-data; boundary=X' "$(cat parts)" | text | grep -v OK | cmp - form && echo "a form in parts"
ask POST /translate application/x-www-form-urlencoded 'q=The+dog%20eats.&source=en&target=en' | tail -n 1
# Languages: by any name; through English; of a model of many; told by the text.
cp models/en-ja.base.tt models/ja-en.tt; cp models/en-ja.base.tt models/opus-mt-eng-fr.tt
json '{"q":"The dog eats.","source":"jpn","target":"fr-CA"}' | grep -o '"pivot".*'
json '{"q":"The dog eats.","source":"ja","target":"fr"}' | tail -n 1 | text >through
t <<<"The dog eats." | tt-translate -q -m models/opus-mt-eng-fr.tt --sentences en | cmp - through && echo "through English"
ask GET /languages | tail -n 1 | grep -o '"code":"[^"]*"\|"targets":[^}]*' | paste -sd ' '
tt-export -q --to ctranslate2 -o many run/update-0000060.tt 2>/dev/null
sed -i '100s/"[^"]*"/"eng_Latn"/; 101s/"[^"]*"/"deu_Latn"/; 102s/"[^"]*"/"zho_Hans"/; 103s/"[^"]*"/"zho_Hant"/' many/shared_vocabulary.json
sed -i 's/"decoder_start_token": "<s>"/"decoder_start_token": "<\/s>"/; s/"add_source_eos": true/"add_source_eos": false/' many/config.json
tt-import -q -o models/many.tt many || exit 1
ask GET /languages | tail -n 1 | grep -o '"code":"[^"]*"\|"targets":[^}]*' | paste -sd ' '
json '{"q":"The dog eats.","source":"en","target":"zt"}' | text | grep -v OK >one
tt-translate -q -m models/many.tt --from eng_Latn --to zho_Hant <<<"The dog eats." | cmp - one && echo "a model of many"
json '{"q":"The weather is nice today.","source":"auto","target":"ja"}' | grep -o '"detectedLanguage.*'
json '{"q":["123",""],"source":"auto","target":"ja"}'
ask POST /detect application/json '{"q":"Das Wetter ist heute schön."}'
ask POST /detect application/x-www-form-urlencoded 'q=123'
# Beside a model its list and its glossary.
printf 'dog\t猫\n' >models/en-ja.base.glossary
json '{"q":"The dog eats.","source":"en","target":"ja"}' | grep -o 猫
echo nonsense >models/en-ja.base.lex
json '{"q":"The dog eats.","source":"en","target":"ja"}' 2>&1
rm models/en-ja.base.*; echo nonsense >models/en-ja.tt; cp run/update-0000060.tt models/some.tt
json '{"q":"The dog eats.","source":"en","target":"ja"}' 2>&1
ask GET /languages 2>&1 >/dev/null
# Errors.
rm models/en-ja.tt models/some.tt
while read -r path body; do json "$body"; done <<'END'
1 {"q":"","source":"en","target":"ja"}
1 {"q":[],"source":"en","target":"ja"}
1 {"q":5,"source":"en","target":"ja"}
1 {"q":["a",5],"source":"en","target":"ja"}
1 {"q":"a","target":"ja"}
1 {"q":"a","source":"en"}
1 {"q":"a","source":["en"],"target":"ja"}
1 {"q":"a","source":"en","target":"ja","alternatives":"x"}
1 {"q":"a","source":"en","target":"ja","alternatives":11}
1 {"q":"a","source":"en","target":"../../etc/passwd"}
1 {"q":"a","source":"en/../ja","target":"fr"}
1 {"q":"a","source":"fr","target":"ja"}
1 {"q":"a","source":"ja","target":"en","format":"pdf"}
1 {"q":"a"
1 ["q"]
END
json '{"q":"aäa","source":"ja","target":"en"}' --max-characters 2
json "$(head -c 100000 /dev/zero | tr '\0' a)" --max-characters 2
ask POST /translate text/plain 'a dog'
ask POST /translate 'application/json; charset=latin1' '{"q":"a"}'
ask GET /translate
ask POST /health
ask OPTIONS /translate
ask POST /translate/ application/json '{}'
ask GET /../languages
printf '{"q"' | REQUEST_METHOD=POST PATH_INFO=/detect CONTENT_TYPE=application/json CONTENT_LENGTH=10 tt-cgi | sed '1,/^\r$/d'
printf '{}' | REQUEST_METHOD=POST PATH_INFO=/detect CONTENT_TYPE=application/json tt-cgi | sed '1,/^\r$/d'
sleep 5 | REQUEST_METHOD=POST PATH_INFO=/detect CONTENT_TYPE=application/json CONTENT_LENGTH=10 tt-cgi --max-seconds 1 | tr -d '\r' | sed -n '1p;$p'
# Words of a query are none of the command line.
REQUEST_METHOD=GET PATH_INFO=/languages QUERY_STRING=--models+/etc tt-cgi --models /etc | tail -n 1
REQUEST_METHOD=GET PATH_INFO=/languages tt-cgi -d nowhere 2>&1 | tail -n 1
mkdir empty; REQUEST_METHOD=GET PATH_INFO=/health tt-cgi -d empty 2>&1 | sed -n '1p;$p'
tt-cgi 2>&1; echo "exit status $?"
# As SCGI has it.
printf '70:CONTENT_LENGTH\00012\0SCGI\0001\0REQUEST_METHOD\0POST\0PATH_INFO\0/detect\0CONTENT_TYPE\0application/json\0,{"q":"Hallo"}' >scgi
n=$(sed 's/^70://; s/,{.*//' scgi | wc -c); sed "s/^70/$n/; s/00012/0013/" scgi | sed 's/\x0012\x00/\x0013\x00/' | tt-cgi --scgi | tail -n 1
tt-cgi --scgi <<<"GET / HTTP/1.1" | tail -n 1
