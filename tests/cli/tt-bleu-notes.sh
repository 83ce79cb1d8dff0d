# Notes on text without spaces between words, on translations that are waited for, and on lines that are not scored.
. "$TT_ROOT/tests/cli/bleu.bash"
note() { echo "$1"; shift; printf '%s\n' "$1" >text; shift; tt-bleu text -i text "$@" 2>&1 >/dev/null; }
note Thai 'สวัสดีครับผมชื่อสมชาย'
note Thai 'สวัสดีครับผมชื่อสมชาย' -l en-th --metric bleu,chrf,ter
note Lao 'ສະບາຍດີຂ້ອຍຊື່'
note Khmer 'សួស្តីខ្ញុំឈ្មោះ' -t intl
note Burmese 'မင်္ဂလာပါကျွန်တော်'
note Chinese '今天天气很好我们去公园玩' --metric chrf++
note Japanese '今日はとても良い天気です' --metric ter
note 'Chinese, by its language' '今天天气很好我们去公园玩' -l en-zh -t 13a
echo 'and nothing of these:'
note 'words of Thai with spaces' 'สวัสดี ครับ ผม ชื่อ สม ชาย'
note 'words of Khmer with spaces of no width' $'សួស្តី\u200bខ្ញុំ\u200bឈ្មោះ'
note 'Thai, by characters' 'สวัสดีครับผมชื่อสมชาย' -t char --metric bleu,chrf
note 'TER that separates characters' '今天天气很好我们去公园玩' --metric ter --ter-normalized --ter-asian
note 'Korean' '오늘은 날씨가 매우 좋습니다.'
note 'German with some Chinese' 'Die Wörter 今天 heißen heute.'
# A line that the other file has not is not scored, and so not repaired.
printf 'a\nb\n' >two; printf 'a\nb\n\xff\n' >three
tt-bleu two -i three --prefix -b; echo "exit $?"
tt-bleu three -i two --prefix -b; echo "exit $?"
printf 'a\n\xff\n' >damaged
tt-bleu two -i damaged --prefix -b; echo "exit $?"
# Translations come from the standard input, which a terminal does not say by itself.
tt-bleu ref.1 a.txt </dev/null; echo "exit $?"
tt-bleu ref.1 </dev/null; echo "exit $?"
if command -v script >/dev/null && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  timeout 300 script -qec 'timeout 5 tt-bleu ref.1 a.txt' /dev/null </dev/null 2>/dev/null | tr -d '\r' |
    grep -q 'waiting for translations .* "input" names no file .* are all references' ||
    echo 'nothing is said on a terminal'
fi
