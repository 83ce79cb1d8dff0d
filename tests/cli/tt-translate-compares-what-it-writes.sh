# --compare-precision scores the text that the same options write, in float32 and in 8 bits.
. "$TT_ROOT/tests/cli/train.bash"
prepare
copying_run
mv run/update-0000200.tt model.tt
t() { tt-translate -q -m model.tt --extra-length 5 "$@"; }
# Capitals, accelerators, numbers, tags and several sentences.
awk 'NR % 5 == 1 { $0 = toupper($0) } NR % 5 == 2 { $2 = "&" $2 } NR % 5 == 3 { $0 = $0 " 42 <b>" $1 "</b>" } NR % 5 == 4 { $0 = $0 " " $0 } 1' \
  corpus/test.en >lines
sed 's/cat/dog/' lines >wanted
printf 'dog\thorse\ncat\tkitten\n' >terms
sed 's/.*//; 1~3s/^/The/' lines >beginnings
sed 's/^/x\t/; s/$/\ty/' lines >table
bleu() { tt-bleu -q -b -w 2 --tokenize char wanted; }
compare() { # INPUT COLUMN OPTION...
  local input=$1 column=$2 float eight; shift 2
  float=$(t "$@" <"$input" | cut -f "$column" | bleu) eight=$(t --int8 "$@" <"$input" | cut -f "$column" | bleu)
  t "$@" --compare-precision wanted <"$input" | sed -nE '1,2s/^ *([0-9.]+) .*/\1/p' | paste -sd ' ' | cmp - <(echo "$float $eight") &&
    echo "as it is written: $*"
  echo "$float" >>scores
}
for options in '' --case '--keep accelerators' '--keep numbers' '--keep marked,urls,emails,placeholders' '--markup html' '--sentences en' \
  '--glossary terms' '--prefix beginnings' '--pass-through off' '--case --keep accelerators,numbers --sentences en'; do
  compare lines 1 $options 2>>errors
done
compare table 2 --column 2 --case 2>>errors
sort -u scores | wc -l | awk '{ print ($1 > 6 ? "options change the score" : "all scores are the same") }'
