# A run that is resumed with other settings, another development set, or without one, reports what is different.
. "$TT_ROOT/tests/cli/train.bash"
prepare
dev="--dev corpus/dev.en corpus/dev.ja"
quick_train -q $dev --valid-every 4 -o run --max-updates 4
again() { quick_train -o run "$@" 2>err; grep -E ' is now |validation|changed' err; }
again $dev --valid-every 4 --max-updates 5 --tokenize none --alpha 1 --max-length 100
again --dev corpus/test.en corpus/test.ja --valid-every 4 --max-updates 6 --tokenize none --alpha 1 --max-length 100
again --dev corpus/test.en corpus/test.ja --valid-every 4 --max-updates 7 --tokenize none --alpha 1 --max-length 100 --beam 1
# Values that another version may know are no reason to refuse a model, except where they decide what it is.
changed() { sed "s/\\\\\"$1\\\\\":\\\\\"$2\\\\\"/\\\\\"$1\\\\\":\\\\\"$3\\\\\"/" run/update-0000007.tt; }
changed schedule paper later >newer.tt
head -n 2 corpus/dev.en | tt-translate -q -m newer.tt | wc -l
changed norm post past >newer.tt
try tt-translate -q -m newer.tt
