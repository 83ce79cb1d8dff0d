# A run that is resumed with other settings, another development set, or without one, reports what is different.
. "$TT_ROOT/tests/cli/train.bash"
prepare
dev="--dev corpus/dev.en corpus/dev.ja"
quick_train -q $dev --valid-every 4 -o run --max-updates 4
again() { quick_train -o run "$@" 2>err; grep -E ' is now |validation|changed' err; }
again $dev --valid-every 4 --max-updates 5 --tokenize none --alpha 1 --max-length 100
again --dev corpus/test.en corpus/test.ja --valid-every 4 --max-updates 6 --tokenize none --alpha 1 --max-length 100
again --dev corpus/test.en corpus/test.ja --valid-every 4 --max-updates 7 --tokenize none --alpha 1 --max-length 100 --beam 1
# In a run that has ended nothing of it has an effect, which is said in a line, and in the exit status.
ended() { quick_train -q -o run --dev corpus/test.en corpus/test.ja --valid-every 4 --max-updates 7 --tokenize none --alpha 1 --max-length 100 --beam 1 "$@"
echo "exit status $?"; }
ended
ended --dropout 0.3
ended --max-updates 6 --freeze encoder --rate 0.1 --tokens 300 --patience 1
resumed() { tt-train -q --resume run "$@"; echo "exit status $?"; }
resumed
resumed --precision bfloat16
resumed --dropout 0.3 --mix corpus/dev.en corpus/dev.ja 0.5 --dev corpus/dev.en corpus/dev.ja
sum() { cksum <run/update-0000007.tt; }
sum >before; resumed --max-updates 3; sum | cmp - before && cat run/done
mkdir elsewhere; cp -r run corpus subword.model elsewhere; (cd elsewhere; ended)
# One that was stopped may be ended by a lower limit; then, too, it has no update left.
tt-train $quick -q --train corpus/train.en corpus/train.ja --subword subword.model -o stopped --max-updates 1000000 --report-every 1 --log log &
for _ in {1..600}; do grep -qs '"update":3,' log && break; sleep 0.1; done
kill $!; wait $! 2>/dev/null
cp -r stopped again
tt-train -q --resume stopped --max-updates 2 --beam 3 2>&1 | cut -d , -f 1; echo "exit status ${PIPESTATUS[0]}"; cat stopped/done
tt-train -q --resume again --max-updates 2 --dropout 0.3 --beam 3 2>&1 | grep left; echo "exit status ${PIPESTATUS[0]}"
quick_train -q -o epochs --max-epochs 1 --precision bfloat16
tt-train -q --resume epochs --max-updates 9; echo "exit status $?"
tt-train -q --resume epochs --max-epochs 2 --precision float32; echo "exit status $?"
# What 0 stands for is said, where it stands for something.
quick_train -q -o paper --rate 0 --max-updates 2
tt-train -q --resume paper --rate 0.001 --max-updates 3 --clip 5 --save-every 0 --max-epochs 9 2>&1
tt-train -q --resume paper --rate 0 --max-updates 4 --unchanged 2>&1
# Values that another version may know are no reason to refuse a model, except where they decide what it is.
changed() { sed "s/\\\\\"$1\\\\\":\\\\\"$2\\\\\"/\\\\\"$1\\\\\":\\\\\"$3\\\\\"/" run/update-0000007.tt; }
changed schedule paper later >newer.tt
head -n 2 corpus/dev.en | tt-translate -q -m newer.tt | wc -l
changed norm post past >newer.tt
try tt-translate -q -m newer.tt
