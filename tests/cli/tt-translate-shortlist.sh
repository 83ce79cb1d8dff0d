# With a shortlist a line has its own output layer, which no neighbour, batch or thread changes, and what is asked for is never missing.
. "$TT_ROOT/tests/cli/train.bash"
. "$TT_ROOT/tests/cli/refused.bash"
prepare
trained_run 60
mv run/update-0000060.tt model.tt; mv run/update-0000040.tt other.tt
tt-average -q --int8 -o int8.tt model.tt; tt-average -q --packed -o packed.tt model.tt
toy -q --train 10 --dev 10 --test 300 more 2>/dev/null
head -n 200 more/test.en >lines; echo >>lines; yes 'the dog eats' | head -n 60 | tr '\n' ' ' >>lines; echo >>lines
train() { tt-shortlist train -q -m subword.model -o "$@" corpus/train.en corpus/train.ja; }
train all.bin --first 400; train few.bin --best 3 --first 10; train none.bin --best 1 --first 4 --iterations 1
m=model.tt
t() { tt-translate -q -m $m --extra-length 5 --max-length 60 "$@" 2>err; }
t <lines >plain
t --shortlist few.bin <lines >few
echo "A list of all pieces changes nothing"
for m in model.tt packed.tt int8.tt; do t --shortlist all.bin <lines | cmp - <(t <lines) && echo $m; done; m=model.tt
t --int8 --shortlist all.bin <lines | cmp - <(t --int8 <lines) && echo 'in eight bits'
t --n-best 3 --shortlist all.bin <lines | cmp - <(t --n-best 3 <lines) && echo lists
t --format json --token-scores --shortlist all.bin <lines | cmp - <(t --format json --token-scores <lines) && echo scores
t -m other.tt --shortlist all.bin <lines | cmp - <(t -m other.tt <lines) && echo 'several models'
t --sample --seed 3 --shortlist all.bin <lines | cmp - <(t --sample --seed 3 <lines) && echo samples
echo "A short list changes some lines, and they are of its pieces"
paste -d '\n' plain few | awk 'NR % 2 { x = $0; next } x == $0 { n++ } END { print (n > 10), (n < 202) }'
head -n 200 few >of.few; head -n 200 lines >of.lines
tt-shortlist cover -m subword.model few.bin of.lines of.few | grep -o 'target pieces listed = 100.00 %'
tt-shortlist cover -m subword.model few.bin of.lines <(head -n 200 plain) | grep -c 'target pieces listed = 100.00 %'
for o in '--beam 4 --groups 2' '--no-repeat 2' '-m other.tt' '--int8' '--min-length 3'; do
  t $o --shortlist few.bin <of.lines >out; tt-shortlist cover -m subword.model few.bin of.lines out | grep -o '= 100.00 % .*100' | sed "s/.*/$o/"
done
echo "Batches, threads and neighbours change nothing"
for o in '' --int8 '-m packed.tt' '--sample --n-best 2' '-m other.tt' '--groups 2 --beam 4 --n-best 4 --confidence'; do
  t $o --shortlist few.bin --threads 1 <lines >out
  t $o --shortlist few.bin --threads 1 --batch-tokens 1 <lines | cmp - out && t $o --shortlist few.bin --threads 2 --batch-tokens 700 <lines | cmp - out &&
    echo "same"
done
head -n 9 of.lines | while IFS= read -r line; do t --shortlist few.bin <<<"$line"; done | cmp - <(head -n 9 few) && echo 'one by one'
tac of.lines | t --shortlist few.bin | tac | cmp - of.few && echo 'backwards'
TT_INSTRUCTIONS=any t --shortlist few.bin --int8 < <(head -n 40 lines) | cmp - <(t --shortlist few.bin --int8 < <(head -n 40 lines)) &&
  echo 'without instructions'
echo "What is asked for is in the list"
head -n 20 of.lines >in; tail -n 20 corpus/train.ja | cut -b 1-12 >prefix
t --shortlist none.bin --prefix prefix <in >out; paste -d '\n' prefix out | awk 'NR % 2 { p = $0; next } { n += index($0, p) == 1 } END { print n }'
sed 's/^/<keep>7 9<\/keep> /' in >kept; for o in '' '--shortlist none.bin' '--shortlist none.bin --sample'; do t --keep marked $o <kept | grep -c '7 9'; done
term=$(cut -b 19-21 corpus/train.ja | sed -n 7p); printf 'the\t%s\n' "$term" >terms
grep -w the in | t --glossary terms --shortlist none.bin | awk -v term="$term" '{ n += index($0, term) > 0 } END { print NR - n " terms are missing" }'
echo '{"text": "the dog", "prefix": "'"$term"'"}' | t --json --shortlist none.bin | grep -c '"translation":"'"$term"
echo "Reports"
yes 'the dog eats' | head -n 80 | tr '\n' ' ' | t --shortlist few.bin >/dev/null; echo "exit status $?"; cut -d : -f 2- err
echo "What is refused"
refused tt-translate -m model.tt --shortlist no.bin
refused tt-translate -m model.tt --shortlist model.tt
tr '\t' '\n' <corpus/train.en | tt-bpe train -q --vocab-size 100 -o small.model
tt-shortlist train -q -m small.model -o small.bin corpus/train.en corpus/train.en
refused tt-translate -m model.tt --shortlist small.bin
head -c 100 few.bin >short.bin; refused tt-translate -m model.tt --shortlist short.bin
refused tt-translate -m model.tt --shortlist few.bin --score lines
refused tt-translate -m model.tt --shortlist few.bin --trace -
refused tt-translate -m model.tt --shortlist few.bin -o few.bin
