# Documents: sentences before each, in training, validation and translation. A translation depends on those of its document and on nothing else.
. "$TT_ROOT/tests/cli/train.bash"
toy -q --documents --train 150 --dev 6 --test 8 corpus
tt-bpe train -q --separator --vocab-size 450 --coverage 1 -o subword.model corpus/train.en corpus/train.ja
tt-bpe decode --ids -m subword.model <<<'3' | wc -c; tt-bpe encode -m subword.model <<<'<sep>' | grep -c '^▁<sep>$'
train() { tt-train -q $quick --dropout 0 --rate 0.01 --valid-every 50 --save-every 50 --train corpus/train.ja corpus/train.en --dev corpus/dev.ja \
  corpus/dev.en --subword subword.model --max-length 128 "$@"; }
same() { cmp <(tail -c +3000 "$1") <(tail -c +3000 "$2") && echo "the same bits"; }

echo "-- resumed, with other threads, from a store, killed: the same bits; a validation on the way"
for sides in both source; do
  train --context 2 --context-sides $sides -o $sides --max-updates 150 --threads 2 --store $sides.store --log $sides.jsonl
  train --context 2 --context-sides $sides -o $sides.parts --max-updates 60 --threads 1
  train --context 2 --context-sides $sides -o $sides.parts --max-updates 150 --threads 3
  same $sides/update-0000150.tt $sides.parts/update-0000150.tt
  grep -c '"event":"valid"' $sides.jsonl
  tt-model config -m $sides/update-0000150.tt | grep context
done
train --context 1 -o both --max-updates 151; echo "exit status $?"

echo "-- one line for each, the same in blocks of any size, for any number of threads and neighbours"
for sides in both source; do
  m=$sides/update-0000150.tt
  translate() { tt-translate -q -m $m "$@"; }
  translate --threads 1 <corpus/test.ja >all; wc -l <all
  translate --threads 3 <corpus/test.ja | cmp - all && echo "three threads"
  while IFS= read -r line; do printf '%s\n' "$line"; sleep 0.02; done <corpus/test.ja | translate | cmp - all && echo "line by line"
  head -n 3 corpus/test.ja | translate | cmp - <(head -n 3 all) && echo "a beginning"
  # The documents in another order: awk's paragraphs.
  awk -v RS= -v ORS='\n\n' '{ d[NR] = $0 } END { for (i = NR; i > 0; --i) print d[i] }' corpus/test.ja | translate |
    awk -v RS= -v ORS='\n\n' '{ d[NR] = $0 } END { for (i = NR; i > 0; --i) print d[i] }' | cmp - <(cat all) && echo "another order"
  translate --context 0 <corpus/test.ja | cmp -s - all || echo "others without context"
  shuf --random-source=corpus/train.en corpus/test.ja | grep . >shuffled
  translate --context 0 <shuffled >alone; tac shuffled | translate --context 0 | tac | cmp - alone && echo "without context each line is alone"
done
m=both/update-0000150.tt; translate <corpus/test.ja >all
echo "-- with every other option"
translate --sentences ja <corpus/test.ja | wc -l
paste -sd ' ' <(head -n 2 corpus/test.ja) | translate --sentences ja >two; head -n 2 corpus/test.ja | translate | paste -sd ' ' | cmp - two &&
  echo "the sentences of a line are context of each other"
translate --n-best 2 <corpus/test.ja | wc -l
translate --sample --n-best 2 --format json <corpus/test.ja | wc -l
translate --alignment hard <corpus/test.ja | cut -f 1 | cmp - <(translate <corpus/test.ja) && echo aligned
translate -m $m <corpus/test.ja | wc -l  # an ensemble
translate --attention - <corpus/test.ja | head -n 2 | tail -n 1 | grep -o '"<sep>"' | wc -l
translate --trace trace <corpus/test.ja >/dev/null; echo "exit status $?"; tt-trace -o page.html trace && echo "a page"
grep -c '"source_context":0,"target_context":0' trace | named "traces without lines before, of $(grep -c '"trace"' trace)"
translate --markup html <corpus/test.ja | wc -l
translate --compare-precision corpus/test.en corpus/test.ja | grep -c BLEU
tt-train -q $quick --train corpus/train.ja corpus/train.en --subword subword.model -o plain --max-updates 5 2>/dev/null
echo "-- JSON: documents by name, and context by hand"
first=$(sed -n 1p corpus/test.ja) second=$(sed -n 2p corpus/test.ja)
translation() { sed 's/.*"translation":"\([^"]*\)".*/\1/'; }
printf '{"text":"%s","document":"%s"}\n' "$first" a "$second" a "$second" b | translate --json | translation |
  cmp - <(sed -n 1,2p all; translate <<<"$second") && echo "as by empty lines"
printf '%s\t%s\n' a "$first" a "$second" b "$second" | translate --column 2 --document-column 1 | cut -f 2 |
  cmp - <(sed -n 1,2p all; translate <<<"$second") && echo "by a column"
translate --column 1 --document-column 1 <corpus/test.ja; echo "exit status $?"
printf '{"text":"%s","context":[{"source":"%s","translation":"%s"}]}\n' "$second" "$first" "$(sed -n 1p all)" | translate --json | translation |
  cmp - <(sed -n 2p all) && echo "as it wrote it itself"
printf '{"text":"%s","context":%s}\n' "$second" '"before"' "$second" '[{"source":"x"}]' "$second" '[]' | translate --json >out; echo "exit status $?"
tail -n 1 out | translation | cmp - <(translate <<<"$second") && echo "nothing before it"
printf '{"text":"%s","context":%s}\n' "$second" '"of a menu"' "$second" '[{"source":"a","translation":"b"}]' |
  tt-translate -q -m plain/update-0000005.tt --json | wc -l
echo "-- scores: the translations before are those that are given"
translate --score corpus/test.en <corpus/test.ja >scores; wc -l <scores
head -n 2 corpus/test.ja | translate --score <(head -n 2 corpus/test.en) | cmp - <(head -n 2 scores) && echo "those of a document"
echo "-- what cannot be"
translate --context 3 <corpus/test.ja >/dev/null; echo "exit status $?"
tt-translate -q -m plain/update-0000005.tt --context 1 <corpus/test.ja >/dev/null; echo "exit status $?"
tt-translate -q -m $m -m source/update-0000150.tt <corpus/test.ja >/dev/null; echo "exit status $?"
tt-translate -q -m $m -m plain/update-0000005.tt <corpus/test.ja | wc -l
tt-translate -q -m $m -m plain/update-0000005.tt --context 0 <corpus/test.ja 2>/dev/null | wc -l
tt-translate -q -m $m -m source/update-0000150.tt --context 0 <corpus/test.ja 2>/dev/null | wc -l
tt-train -q --type lstm --context 1 $quick --train corpus/train.ja corpus/train.en --subword subword.model -o lstm 2>&1 | head -n 2
