# The recipes of the paper: what they refuse, files of others that they leave as they are, and what is made again when settings change.
. "$TT_ROOT/tests/cli/paper.bash"
refused() { (run "$@" 2>&1) | sed -E 's/^make: .*(Error|Stop)/make: \1/; s/\.mk:[0-9]+:/.mk:/; s/(train|dev)\.mrg\.gz is missing/NAME is missing/'; }
mkdir mine out && echo 'my text' | tee mine/train.en >mine/train.ja
refused table3 DATA="$work/mine" | sed "s|$work/||"
refused table3 OUT='a folder' 
refused table3 SEEDS=
refused table3 SEEDS='1 2 1'
refused table3 SEEDS='1 01'
refused table3 SEEDS=1@2
refused table3 UPDATES=
refused table3 UPDATES='200 300'
refused table3 UPDATES=99999999999999999999
refused table4 TREE_UPDATES=10l
refused figures FIGURE_LINES=x
refused table4 TREE_SIZE=abc
refused table4 TREE_SIZE=00
refused lengths LENGTH_STEP=0
refused table2 SEEDS=1 ENSEMBLES=base
refused table3 OUT='/tmp/x$y'
refused figures TREEBANK="$work/nowhere" TABLE4=parse | sed "s|$work/||" | head -n 1
refused table4 TABLE4=
refused table3 OUT=
refused table3 OUT='g?'
refused table3 OUT='a(b'
refused table3 OUT='a#b'
refused table4 TREEBANK='a\b'
refused table3 OUT=a:b
refused table3 OUT='~/a'
refused table3 OUT=-a
refused table3 OUT=a=b/c
refused table3 ONCE=other
refused table3 UPDATES=100 TRAINING='--warmup 100'
make -s -C "$TT_ROOT" -f data/paper.mk BIN=nowhere | sed -n 1p
refused table3 CORPUS=other
refused table3 BIN=nowhere
refused table3 TABLE3='base other'
refused table4 TREEBANK="$work/nowhere" | sed "s|$work/||"
refused table4 QUICK=0 CORPUS=toy | sed "s|$work/||"
cat mine/train.en
mkdir out/treebank && echo 'my trees' | gzip >out/treebank/train.mrg.gz
run table4 OUT="$work/out" >/dev/null
gzip -dc out/treebank/train.mrg.gz
# Trees of one's own at the sizes of QUICK.
mkdir trees && cp out/toy-trees/dev.mrg.gz trees && gzip -dc out/toy-trees/dev.mrg.gz | gzip >trees/train.mrg.gz
run table4 TREEBANK="$work/trees" >/dev/null; grep -c '^' out/trees/train.mrg
# A training that was killed goes on: no update is reported twice.
log=out/runs/base@1/log.jsonl
updates() { sed -nE 's/.*"event":"train","update":([0-9]+).*/\1/p' $log 2>/dev/null; }
(run table3 TABLE3=base SEEDS=1 UPDATES=400 >/dev/null 2>&1) &
for _ in $(seq 600); do ! ls out/runs/base@1/run 2>/dev/null | grep -q 'update-00001..\.tt' || break; sleep 0.05; done
pkill -STOP -f "$work/out/runs/base@1/run"  # however long what follows takes
refused table3 TABLE3=base SEEDS=1 UPDATES=300 | sed "s|$work/||" # the same folder, other settings
pkill -KILL -f "$work/out/runs/base@1/run"; wait
ls out/runs/base@1/model.tt 2>&1
run table3 TABLE3=base SEEDS=1 UPDATES=400 >/dev/null
updates | xargs; grep -c '"event":"start"' $log
# Settings that were refused while another training was using the folder are those of the next
(run table3 TABLE3=heads-1 SEEDS=1 UPDATES=200 >/dev/null 2>&1) & trains=$!
for _ in $(seq 600); do [ ! -s out/runs/heads-1@1/log.jsonl ] || break; sleep 0.05; done
pkill -STOP -f "$work/out/runs/heads-1@1/run"
refused table3 TABLE3=heads-1 SEEDS=1 UPDATES=6 | sed "s|$work/||" | head -n 1
pkill -CONT -f "$work/out/runs/heads-1@1/run"; wait $trains; ls out/runs/heads-1@1/run | grep update | tail -n 1
run table3 TABLE3=heads-1 SEEDS=1 UPDATES=6 >/dev/null; ls out/runs/heads-1@1/run | grep update | tail -n 1
# Settings that are none remove no training.
refused table3 TABLE3=heads-1 SEEDS=1 UPDATES=7 MODEL='--preset huge' | head -n 1; ls out/runs/heads-1@1/run | grep update | tail -n 1
# Another search: other translations by the same model. Another score: neither.
made() { stat -c %y out/runs/base@1/$1; }
model=$(made model.tt) dev=$(made dev)
run table3 TABLE3=base SEEDS=1 UPDATES=400 SCORE='--tokenize 13a' >/dev/null
[ "$dev" = "$(made dev)" ] && echo 'the same translations'
run table3 TABLE3=base SEEDS=1 UPDATES=400 SCORE='--tokenize 13a' SEARCH='--beam 1' >/dev/null
[ "$dev" = "$(made dev)" ] || echo 'other translations'
[ "$model" = "$(made model.tt)" ] && echo 'the same model'
# A score that cannot be had is not 0.
refused table3 TABLE3=base SEEDS=1 UPDATES=400 SCORE='--tokenize bogus' | tail -n 1
# Other pairs of the same sentences
mkdir corpus; (cd out/toy && cp ./*.en ./*.ja ../../corpus/); for f in corpus/*; do gzip -n "$f"; done
(cd corpus; for p in train dev test; do for l in en ja
  do mv $p.$l.gz $(case $p in train) echo train;; dev) echo val;; test) echo test_2016_flickr;; esac).lc.norm.tok.${l/ja/de}.gz; done; done)
own() { run table3 QUICK= TREEBANK=none DATA="$work/corpus" OUT="$work/own" TABLE3=base SEEDS=1 UPDATES=4 "$@"; }
mv corpus/test_2016_flickr.lc.norm.tok.de.gz whole.gz; gzip -dc whole.gz | sed 1d | gzip -n >corpus/test_2016_flickr.lc.norm.tok.de.gz
(own 2>&1) | sed -n "s|$work/||g; /lines/p"; ls own/runs/base@1/run 2>&1; mv whole.gz corpus/test_2016_flickr.lc.norm.tok.de.gz
own >/dev/null; cksum <own/runs/base@1/model.tt >first; cp own/runs/base@1/test first.de
gzip -dc corpus/test_2016*.en.gz | tac | gzip -n >other && mv other corpus/test_2016_flickr.lc.norm.tok.en.gz
own >/dev/null; cmp -s first.de own/runs/base@1/test || echo 'another test set'; cksum <own/runs/base@1/model.tt | cmp - first
gzip -dc corpus/train*.de.gz | tac | gzip -n >other && mv other corpus/train.lc.norm.tok.de.gz
own >/dev/null; cksum <own/runs/base@1/model.tt | cmp -s - first || echo 'another model'
run table3 TABLE3=base SEEDS='1 3' UPDATES=400 SCORE='--tokenize 13a' SEARCH='--beam 1' >/dev/null
[ "$model" = "$(made model.tt)" ] && cut -f 1,11 out/table3.tsv
# Another device trains no other model, but there must be one
refused table3 TABLE3=base SEEDS='1 4' UPDATES=400 SCORE='--tokenize 13a' SEARCH='--beam 1' DEVICE=gpu | sed -n "1s|;.*||p"
