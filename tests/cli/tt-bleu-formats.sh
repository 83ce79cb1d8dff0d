# Tables in Markdown, LaTeX and TSV; one shape of JSON, and sacreBLEU's; names of systems; groups of segments.
. "$TT_ROOT/tests/cli/bleu.bash"
run() { echo "$ tt-bleu $*"; tt-bleu "$@" 2>&1; echo "exit $?"; }
all='--metric bleu,chrf,ter'
run ref.1 -i a_1%=a.txt 'b|*=b.txt' $all --confidence --samples 50 --format md
run ref.1 -i a_1%=a.txt 'b|*=b.txt' $all --format latex
run ref.1 -i a.txt $all --format md
run ref.1 -i a_1%=a.txt 'b|*=b.txt' $all --paired-bs --samples 50 --format tsv
run ref.1 -i a.txt --format tsv -w 3 -q
cp b.txt a=b; mkdir -p x; cp b.txt x/y=z
run ref.1 -i a=b x/y=z best=x/y=z
run ref.1 -i =a.txt
run ref.1 -i best=none.txt
printf '%s\n' news web 'news ' >groups
run ref.1 -i a.txt --group groups
run ref.1 -i a.txt b.txt --group groups $all --format md
run ref.1 -i a.txt b.txt --group groups --paired-ar --format tsv
run ref.1 -i a.txt b.txt --group groups -b
run ref.1 -i a.txt b.txt --group groups --sentence --metric ter --json -q
run ref.1 -i a.txt b.txt --sentence $all
run ref.1 -i a.txt --group - <groups
head -n 2 groups | run ref.1 -i a.txt --group -
head -n 2 groups | run ref.1 -i a.txt --group - --prefix
printf 'a\n\nb\n' | run ref.1 -i a.txt --group -
# The shape of JSON does not depend on how many systems and metrics there are.
shape() { echo "$*"; tt-bleu ref.1 "$@" -w 1 | grep -oE '^ {0,2}("[^"]*": *[{[]?|[][{}]+)' | tr -s '\n ' ' '; echo; }
shape -i a.txt --json
shape -i a.txt $all --json
shape -i a.txt b.txt $all --json
shape -i a.txt --json --group groups
shape -i a.txt --format json
shape -i a.txt $all --format json
shape -i a.txt b.txt --format json
for format in text md latex tsv json; do tt-bleu ref.1 -i a.txt --format $format >/dev/null 2>&1 || echo "no $format"; done
run ref.1 -i a.txt --format html
run ref.1 -i a.txt --format md --json
run ref.1 -i a.txt --format md --sentence
run ref.1 -i a.txt b.txt --format tsv --compare
run ref.1 -i a.txt b.txt --format latex -b
run ref.1 -i a.txt b.txt --compare --group groups
run ref.1 -i a.txt -m ter chrf++ bleu -b
run ref.1 -i a.txt -m ter,bleu -b
