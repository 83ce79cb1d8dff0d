# The steps of an experiment by make: all of them once, none of them again, and after a change only the later ones. The demonstration's
# recipe represents all, with a model of a few updates.
set -e
work=$PWD
run() {
  local updates=$1
  shift
  make -s -C "$TT_ROOT" -f data/toy.mk BIN="$BUILD" OUT="$work/out" SUBWORD='--type bpe --vocab-size 600' THREADS=1 \
    TRAINING="--preset tiny --encoder-layers 1 --decoder-layers 1 --tokens 256 --max-updates $updates --save-every 1 --valid-every 0" \
    "$@" "$work/out/score" "$work/out/attention.png" "$work/out/page.html" >log 2>&1 || { cat log >&2; exit 1; }
}
state() { stat -c '%n %y' out/subword.model out/run/done out/model.tt out/test.ja out/score out/attention.png out/page.html | sort; }
toy --train 300 --dev 5 --test 20 out/corpus
run 5
ls out
state >first
run 5
state | cmp - first && echo 'nothing was made again'
sleep 0.01
rm out/test.ja
run 5
state | diff first - | sed -nE 's/^> out\/([^ ]*).*/made again: \1/p'
state >second
run 6
state | diff second - | sed -nE 's/^> out\/([^ ]*).*/after one more update: \1/p'
state >third
run 6 SEARCH="--beam 2"
state | diff third - | sed -nE 's/^> out\/([^ ]*).*/with another search: \1/p'
state >fourth
run 6 SEARCH="--beam 2" SCORE="--tokenize 13a"
state | diff fourth - | sed -nE 's/^> out\/([^ ]*).*/and another score: \1/p'
# Another corpus, with a line that can be translated and scored in part.
cp -r out/corpus other; for side in en ja; do printf 'a \xff b\n' >>other/test.$side; done
run 6 DATA="$work/other"; wc -l <out/test.ja; grep -c BLEU out/score
(tac out/corpus/train.ja >text && mv text other/train.ja; run 6 DATA="$work/other") 2>&1 | grep -o 'was trained on other text'
# Settings that the run was not begun with: neither the old score nor a mixture, whether it has ended or goes on; with both ways out.
other() { (run "$@") 2>&1 | sed -nE "s|.*$work/||; /other settings/p"; }
mode() { echo "--preset tiny --encoder-layers 1 --decoder-layers 1 --tokens 256 --save-every 1 --valid-every 0 $*"; }
other 6 TRAINING="$(mode --max-updates 6 --dropout 0.2)"
other 6 TRAINING="$(mode --max-updates 8 --dropout 0.2 --precision bfloat16)"
other 5
other 6 TRAINING="$(mode --max-updates 3000 --schedule linear)"
(run 6 TRAINING="$(mode --max-updates 6 --mix $work/other/dev.en $work/other/dev.ja 0.5)") 2>&1 | grep -o 'with other settings: train'
other 6 TRAINING="$(mode --max-updates 6 --report-every 3)"
# Two makes that fetch one file, and seeds that would share a folder.
mkdir bin data; printf '#!/bin/bash\nfor i in 1 2 3; do echo line $i; sleep 0.1; done\n' >bin/curl; chmod +x bin/curl
fetch() { PATH=$PWD/bin:$PATH make -s -C "$TT_ROOT" -f data/multi30k.mk BIN="$BUILD" DATA="$work/data" "$work/data/train.lc.norm.tok.en.gz"; }
fetch & sleep 0.15; fetch; wait $!; gzip -cd data/*.gz; ls data
make -s -C "$TT_ROOT" -f data/multi30k.mk BIN="$BUILD" OUT="$work/out" multi30k-seeds 2>&1 | grep -o 'say FOLDER'
(run 6 SUBWORD="--type bpe --vocab-size 500") 2>&1 | grep -o 'holds a run of another model'
# The alignment error rate: of links to known characters, one is right and one wrong, and two are missing.
printf 'x\t0-0 2-1 5-5\nx\t\n' >out/links
printf '0-0 1-1\n2-2\n' >out/corpus/test.links
make -s -C "$TT_ROOT" -f data/toy.mk BIN="$BUILD" OUT="$work/out" -o "$work/out/links" alignments
# On a GPU.
for recipe in wmt14 multi30k enja tatoeba; do
  make -n -C "$TT_ROOT" -f data/$recipe.mk BIN="$BUILD" DATA="$work/none" OUT="$work/none" DEVICE=cuda:1 PRECISION=bfloat16 2>/dev/null |
    grep -o -e '--threads.*--device.*' | sed "s/^--threads [0-9]*/$recipe:/"
done
