# A model of another program is fine-tuned, searches as before, and goes back; of T5, and of many languages.
. "$TT_ROOT/tests/cli/train.bash"
prepare
t5="--norm pre --norm-type rms --positions relative --position-buckets 8 --position-distance 20 --scores dot --d-k 12 --d-v 12
    --ffn-gate --ffn-bias=false --activation gelu --scale-embeddings=false --embeddings inputs --source-prefixes en-ja=translate"
search="--length-penalty length --alpha 1.2 --beam 3 --stop-when-full --extra-length 30 --length-factor 0"
quick_train -q $t5 $search -o t5 --max-updates 5
bart="--embedding-norm --positions learned --max-length 100 --attention-bias --output-bias --target-language none"
quick_train -q $bart $search -o bart --max-updates 5
for kind in t5 bart; do
  echo "-- $kind"
  tt-export --to hugging-face -o $kind.hf $kind/update-0000005.tt 2>&1 | sed 's/: [0-9].*//'
  tt-import -q -o $kind.tt $kind.hf; echo "import: exit status $?"
  languages=; [ $kind = bart ] || languages="en ja"
  tt-train -q --from $kind.tt --train $languages corpus/train.en corpus/train.ja --dev $languages corpus/dev.en corpus/dev.ja \
    -o more.$kind --max-updates 60 --tokens 400 --rate 0.003 --valid-every 60 --log $kind.log
  losses=$(grep '"event":"valid"' $kind.log | grep -o '"loss":[0-9.]*' | cut -d : -f 2); first=$(head -n 1 <<<"$losses"); last=$(tail -n 1 <<<"$losses")
  awk -v a=$first -v b=$last 'BEGIN { if (b > 0 && b + 0 < 0.9 * a) print "the loss falls"; else print a, b }'
  tt-export --to hugging-face -o more.$kind.hf more.$kind/update-0000060.tt 2>&1 | sed 's/: [0-9].*//'
  tt-import -q -o back.tt more.$kind.hf; echo "import: exit status $?"
  for model in $kind.tt back.tt; do tt-model config -m $model |
    grep -E '"(length_penalty|alpha|beam|stop_when_full|extra_length|length_factor|source_prefixes)"' >$model.search; done
  cmp $kind.tt.search back.tt.search && echo "searches as before"
  tt-translate -q -m back.tt <corpus/test.en >back; tt-translate -q -m more.$kind/update-0000060.tt <corpus/test.en | cmp - back && echo "the same translations"
done
