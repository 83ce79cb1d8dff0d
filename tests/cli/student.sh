# From text to a small translator: each step once, none again, in parts as in one piece. Models of a few updates represent all.
tiny="--preset tiny --encoder-layers 1 --decoder-layers 1 --d-model 16 --d-ff 16 --heads 2"
student() {
  make -s -C "$TT_ROOT" -f data/student.mk CORPUS=toy BIN="$BUILD" OUT="$PWD/out" THREADS=1 SIZES="--train 300 --dev 10 --test 20" TEACHER="$tiny" \
    STUDENT="$tiny" LEAST=0 QUANTIZE=4 SUBWORD="--vocab-size 450 --coverage 1" AVERAGE="--last 1" SEARCH="--beam 1 --extra-length 2" \
      FORWARD="--beam 2 --n-best 2 --extra-length 2" \
    TRAINING="--tokens 400 --max-updates 6 --save-every 3 --valid-every 0 --warmup 2 --rate 0.01 --tokenize char" "$@" 2>log || { cat log >&2; exit 1; }
}
file() { student "$@" "$PWD/out/text/student.ja"; }
student | awk -F '\t' 'NR == 1 || $4 == "-" { print $1, $4, $5 } NR > 1 && $4 != "-" { print $1, ($3 > 0), ($4 >= 0), ($5 >= 0), ($6 > 0) }'
ls out
head -c 5 out/table.svg; echo
echo "Text"
head -n 1 out/text/teacher.en | grep -c '<BT>'; grep -c '^<BT> ' out/text/teacher.en; wc -l <out/back/lines
for side in en ja; do [ "$(wc -l <out/text/student.$side)" = $(($(wc -l <out/forward/lines) - $(wc -l <out/forward/lines) / 20)) ] &&
  echo "a twentieth is left out"; done
paste <(cat out/forward/likely.*) <(cut -f 1 out/forward/lines) <(cat out/forward/out.*) >all
paste out/text/student.en out/text/student.ja | awk -F '\t' 'NR == FNR { ++kept[$0]; next } { pair = $2 "\t" $3 }
  kept[pair]-- > 0 { if (low == "" || $1 < low) low = $1; next } high == "" || $1 > high { high = $1 }
  END { print (high <= low ? "the least likely" : high " > " low) }' - all
[ "$(wc -l <out/text/student.links)" = "$(wc -l <out/text/student.en)" ] && echo "each line has its links"
tt-model config -m out/student/model.tt | grep -E '"(quantize_from|alignment_layer)"'
tt-export -q --to marian -o marian out/student/model.tt; echo "for Marian: exit status $?"
echo "Nothing is made again, and less where less is changed"
find out -type f -not -name '*.jsonl' -not -path '*/seconds/*' -printf '%p %T@\n' | sort >before
again() { find out -type f -not -path '*/seconds/*' -printf '%p %T@\n' | sort | comm -13 before - | sed -nE 's/^out\/([^ ]*) .*/\1/p' | grep -E "$1"; }
student >/dev/null; again '^(text|back/|forward|rows|table|small|lex)' || echo none
student PARTS=3 "$PWD/out/forward/kept"; cat out/forward/out.* >parts; cp out/forward/kept kept
student PARTS=1 "$PWD/out/forward/kept"; cmp <(cat out/forward/out.001) parts && cmp out/forward/kept kept && echo "the same in parts"
student PARTS=1 CHOOSE=first "$PWD/out/forward/out.001"; cut -d ' ' -f 1 out/forward/list.001 | uniq -c | awk '$1 != 2 { print "not a pair:", $0 }'
sed -n '1~2p' out/forward/list.001 | sed -E 's/^[0-9]+ \|\|\| //; s/ \|\|\| LogProb.*//' | cmp - out/forward/out.001 && echo "the first of each list"
cmp -s out/forward/out.001 parts || echo "others are nearer to the reference"
echo "A model of other settings is trained anew, and no other"
cp out/student/begun begun; student GUIDED=0.1 "$PWD/out/student/model.tt"; tt-model config -m out/student/model.tt | grep guided_alignment_weight
again '^[a-z]*[-0-9]*/(model|run/done)'
student MONO= "$PWD/out/text/teacher.ja"; cmp out/text/teacher.ja out/text/train.ja && echo "nothing was translated back"
(student LEAST=101 "$PWD/out/forward/list.001") 2>refused; grep -o 'and LEAST is.*' refused
for model in $(sed -nE 's/^.*(backward|teacher-[12])\/model.tt has .*/\1/p' refused); do
  grep -o 'has [0-9.]* BLEU' refused | grep -qx "has $(grep -oE ' = [0-9.]+' out/$model/score | head -n 1 | cut -d ' ' -f 3) BLEU" &&
    echo "its BLEU is that of its score"; done
echo "A command as teacher, which loses lines"
cat >teacher <<'END'
#!/bin/sh
awk -F '\t' 'FILENAME != "-" { known[$1] = $2; next } { print known[$0] }' "$1" - | awk -v n="$2" 'NR % n'
END
chmod +x teacher; paste out/corpus/train.en out/corpus/train.ja >table
asked() { student OUT="$PWD/asked" TEACHER_COMMAND="$PWD/teacher $PWD/table 50$1" "${@:2}"; }
asked '' | cut -f 1 | paste -s; cat asked/forward/out.* | cmp - <(cut -f 2 asked/forward/lines) && echo "no line is lost, and all are as the teacher has them"
[ "$(wc -l <asked/text/student.links)" = "$(wc -l <asked/text/student.en)" ] && echo "each line has its links"
asked ' | grep -v 犬' WORST=0 "$PWD/asked/text/student.ja"
cut -f 2 asked/forward/lines | grep -v 犬 | cmp - asked/text/student.ja && echo "a line without an answer is left out"
[ "$(grep -c 'has no answer' log)" = "$(grep -c 犬 asked/forward/lines)" ] && echo "each is said"
(asked '' MONO="$PWD/table" "$PWD/asked/text/student.en") 2>&1 | grep -o 'MONO is text for teachers.*'
for command in 'no-such-program' false; do (student OUT="$PWD/asked" TEACHER_COMMAND=$command "$PWD/asked/forward/out.001") 2>&1 |
  sed -n 's/^line-for-line: //p' | tail -n 1; done
echo "Text of one's own, and what is not there"
mkdir own; for part in train dev test; do for side in en ja; do cp out/corpus/$part.$side own/$part.$side; done; done; gzip own/*; touch -d 2020-01-01 own/*
student CORPUS=own PAIR="ja en" DATA="$PWD/own" OUT="$PWD/mine" SUBWORD="--vocab-size 450 --coverage 1" "$PWD/mine/student/model.tt"
head -n 1 mine/text/train.en; find own -newermt 2020-01-02 -type f
own() { student CORPUS=own PAIR="ja en" DATA="$PWD/other" OUT="$PWD/mine" SUBWORD="--vocab-size 450 --coverage 1" "$@"; }
mkdir other; for part in train dev test; do for side in en ja; do gzip -dc own/$part.$side.gz | sort >other/$part.$side; done; done; gzip other/train.en
touch -d 2019-01-01 other/*
own "$PWD/mine/text/test.en" "$PWD/mine/text/dev.ja"; for part in dev.ja test.en; do cmp other/$part mine/text/$part && echo "$part is the other one"; done
{ head -n 3 other/test.en; printf 'bad \xff\n'; } >mono; { gzip -dc other/train.en.gz | head -n 1; printf 'last line'; } >more
own MONO="$PWD/mono $PWD/more" "$PWD/mine/back/lines"; cat mine/back/lines; sed -nE 's/^tt-clean: (dropped .*)/\1/p' log
make -n -C "$TT_ROOT" -f data/student.mk CORPUS=own PAIR="ja en" DATA="$PWD/own" BIN="$BUILD" OUT="$PWD/none" "$PWD/none/backward/score" 2>/dev/null |
  grep -o "SCORE='[^']*'" | head -n 1
try() { (student "$@" nothing) 2>&1 | sed -nE 's/^.*\*\*\* //p'; }
try CORPUS=wmt; try CHOOSE=last; try PARTS=0; try PARTS=2.5; try TEACHERS=two; try WORST=1.5; try LEAST=x; try MONO=none; try MONO_SOURCE=none; try DATA=own
try CORPUS=own; (student CORPUS=own PAIR="en de" DATA=own) 2>&1 | grep -oE "No rule to make target 'own/(train|dev).en'" | sed 's/dev/train/'
