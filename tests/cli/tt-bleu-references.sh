# Missing references, tab-separated references, and tab-separated systems on standard input; scores agree with sacreBLEU's.
. "$TT_ROOT/tests/cli/bleu.bash"
run() { echo "$ tt-bleu $*"; tt-bleu "$@" 2>&1; echo "exit $?"; }
all='--metric bleu,chrf,ter -w 4'
run ref.1 ref.2 -i a.txt $all
run ref.1 ref.2 -i a.txt $all --skip-empty-references
run ref.1 ref.2 -i a.txt $all --skip-empty-references --sentence
sed 's/^$/It was late./' ref.2 | paste ref.1 - >refs.tsv
run refs.tsv -i a.txt $all
run refs.tsv -i a.txt $all --num-refs 2
run refs.tsv -i a.txt --num-refs 3
run refs.tsv -i a.txt --num-refs 3 --skip-empty-references
run refs.tsv ref.1 -i a.txt --num-refs 2
paste ref.1 ref.1 ref.1 | run - -i a.txt --num-refs 2
# Two systems on standard input, one of which says nothing at the end.
paste a.txt b.txt | run ref.1 $all
paste a.txt b.txt | sed '$s/\t.*/\t/' | run ref.1 --paired-bs --json -q | grep -e system -e '"score"'
paste a.txt b.txt | run ref.1 --compare --top 1 | head -n 4
sed 's/$/\t /' a.txt | run ref.1
paste a.txt b.txt | sed '1s/\t.*/\t/' | run ref.1 -f tsv
paste a.txt b.txt | run ref.1 -i -
paste a.txt b.txt | run ref.1 --sentence
printf 'the cat \tthe dog \na b \tc d \n' >hyps
printf 'the cat\na b\n' >two
run two --metric chrf --whitespace <hyps
printf 'one\ntwo\tthree\n' | run ref.1
printf 'one\ttwo\n\n' | run ref.1
run ref.1 -i a.txt - <b.txt
run ref.1 - <b.txt
