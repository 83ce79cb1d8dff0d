# --memory chooses the largest batch for which so much memory is enough, and the run takes no more; resumed, it keeps its batches.
case $(basename "$BUILD") in *asan* | *tsan*) echo "sanitizers need much memory" >&2; exit 77 ;; esac
. "$TT_ROOT/tests/cli/train.bash"
toy -q --train 3000 --dev 30 --test 1 corpus
tt-bpe train -q --vocab-size 400 -o subword.model corpus/train.en corpus/train.ja
set -- tt-train --preset tiny --d-model 64 --tokenize char --beam 2 --warmup 20 --threads 2 --shards 2 --train corpus/train.en corpus/train.ja \
  --dev corpus/dev.en corpus/dev.ja --subword subword.model --valid-every 4 --save-every 2 --report-every 1
tokens() { sed -n 's/.*"tokens":\([0-9]*\),"accumulate".*/\1/p' "$1" | tail -n 1; }
peak() { sed -n 's/.*"peak_memory":\([0-9]*\).*/\1/p' "$1" | tail -n 1; }
within() { awk -v x="$1" -v least="$2" -v most="$3" 'BEGIN { print (x >= least && x <= most ? "yes" : "no: " x) }'; }
for type in transformer lstm; do
  for memory in 250 500; do
    "$@" --type $type -o $type-$memory --log $type-$memory.log --memory ${memory}M --max-updates 4 2>said || cat said
    grep -c -- "batches of .*: .* of $memory MiB" said | named "reports of its batches"
    echo "$type: under $memory MiB: $(within "$(peak $type-$memory.log)" $((memory * 350000)) $((memory * 1048576)))"
  done
  echo "more memory, larger batches: $(within "$(tokens $type-500.log)" $(($(tokens $type-250.log) * 3 / 2)) 1000000)"
done
"$@" -q -o transformer-250 --log again.log --memory 250M --max-updates 6; [ "$(tokens again.log)" = "$(tokens transformer-250.log)" ] && echo "the same batches"
for memory in 20M 4 0G -1G; do
  tt-train -q -o none --threads 2 --memory $memory --train corpus/train.en corpus/train.ja --subword subword.model 2>&1 |
    sed 's/at least [0-9.]* [KMG]iB/at least SIZE/'
done
"$@" -q -o none --memory 1G --tokens 100 2>&1
