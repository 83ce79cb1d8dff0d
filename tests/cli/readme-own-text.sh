# README's commands for one's own text, as they stand there but for how long they train: from two files to a score and a picture.
set -e
toy -q --train 300 --dev 20 --test 20 .
for part in train dev test; do mv $part.ja $part.de; done
sed -n '/^## Your own text/,/^## Build/p' "$TT_ROOT/README.md" | sed -n '/^    tt-bpe train/,/^    tt-bleu/s/^    //p' |
  sed -e 's/--vocab-size [0-9]*/--vocab-size 500/' -e 's/--max-updates [0-9]*/--max-updates 10 --warmup 5/' -e 's/^tt-log-plot/& --terminal ascii/' -e \
    's/--valid-every [0-9]*/--valid-every 5/' \
    -e 's/--save-every [0-9]*/--save-every 1/' -e 's/--tokens [0-9]*/--tokens 300/' >commands
grep -oE '^tt-[a-z-]+' commands
bash -e commands >out 2>log || { cat log; exit 1; }
ls -d model.tt run/done test.out
wc -l <test.out
grep -c 'BLEU' out
