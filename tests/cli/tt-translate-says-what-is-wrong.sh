# A model file that is missing, truncated, of another kind, or inconsistent; a full disk; a closed pipe.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 2
cp run/update-0000002.tt model.tt
t() { echo 'the dog' | tt-translate -q "$@"; }
try t -m none.tt
try t -m .
try t -m run
try t -m subword.model
try t -m corpus/train.en
try t -m run/state.tt
head -c 5000 model.tt >short.tt
try t -m short.tt 2>short.err
sed -E "s/need [0-9]+ bytes/need N bytes/" short.err >&2
: >empty.tt
try t -m empty.tt
sed 's/\\"d_ff\\":48/\\"d_ff\\":40/' model.tt >other.tt
cmp -s model.tt other.tt && echo "the configuration was not found"
try t -m other.tt
# A weight that is not a number, in the first tensor
cp model.tt nan.tt
printf '\xff\xff\xff\xff' | dd of=nan.tt bs=1 seek=$((8 + $(od -A n -t u8 -N 8 model.tt))) conv=notrunc 2>dd.log
try t -m nan.tt
try t -m model.tt none.en
try t -m model.tt model.tt
try t -m model.tt subword.model
try t
try t -m model.tt --beam 0
try t -m -
try t -m model.tt --compare-precision -
[ ! -c /dev/full ] || { t -m model.tt >/dev/full; echo "full disk: exit status $?"; }
for i in $(seq 2000); do echo 'the dog'; done | tt-translate -q -m model.tt --extra-length 3 | head -n 1 | wc -l
echo "closed pipe: exit status ${PIPESTATUS[1]}"
