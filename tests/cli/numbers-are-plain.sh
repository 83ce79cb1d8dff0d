# An option takes a plain decimal number in its range, and a leading zero does not change it.
. "$TT_ROOT/tests/cli/bpe.bash"
. "$TT_ROOT/tests/cli/refused.bash"
echo text >text
lines 300 >words
tt-bpe train -q --vocab-size 0100 -o bpe.model words && tt-bpe vocab -m bpe.model | wc -l
for number in 0 007 .5 1e-3 2.5E1; do
  tt-bpe encode -q -m bpe.model --threads 1 "--alpha=$number" text || true
done 2>&1 | sort | uniq -c | sed 's/^ *//'  # why none is accepted
in_range() {
  "$@" <text >out 2>err
  local status=$?
  { [ $status = 2 ] && head -n 1 err | grep -qE "must be an? (integer|number) from"; } || { echo "$*: exit status $status"; cat err; }
}
for number in nan inf -inf 1e999 0x1p3 '1 ' ' 1' 1,5 1e -1; do
  in_range tt-translate -m none "--alpha=$number"
  in_range tt-bpe encode -m bpe.model "--dropout=$number"
  in_range tt-bpe encode -m bpe.model "--alpha=$number"
  in_range tt-bpe train -o m "--coverage=$number" text
  in_range tt-bleu "--beta=$number" --metric chrf text
done
for number in nan 1.0 0x10 -1 18446744073709551616 1e3; do
  in_range tt-translate -m none "--beam=$number"
  in_range tt-translate -m none "--threads=$number"
  in_range tt-bpe train -o m "--seed=$number" text
  in_range tt-average -o m "--last=$number" .
done
rm err out
refused tt-translate -m none --alpha nan
refused tt-bpe train -o m --seed $'-1\n' text
refused tt-bpe train -o m --coverage .5 text
ls
