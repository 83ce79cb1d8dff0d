# Errors are reported on stderr, with the right exit status.
. "$TT_ROOT/tests/cli/bleu.bash"
run() { echo "$ tt-bleu $*"; tt-bleu "$@" 2>&1; echo "exit $?"; }
run </dev/null
run none.txt <a.txt
run ref.1 </dev/null
head -n 2 a.txt | run ref.1
run ref.1 -i a.txt --frob
run ref.1 -i a.txt --metric meteor
run ref.1 -i a.txt -t moses
run ref.1 -i a.txt --smooth linear
run ref.1 -i a.txt --smooth floor:x
run ref.1 -i a.txt --max-order 0
run ref.1 -i a.txt --width 99
run ref.1 -i a.txt --samples 0
run ref.1 -i a.txt --metric chrf --char-order 0
run ref.1 -i a.txt --paired-bs
run ref.1 -i a.txt b.txt --paired-bs --paired-ar
run ref.1 -i a.txt b.txt --paired-ar --confidence
run ref.1 -i a.txt b.txt --sentence
run ref.1 -i a.txt --sentence --confidence
run ref.1 -i a.txt --compare
run ref.1 -i a.txt b.txt --compare --sentence
run - <a.txt
run -i "" ref.1 b.txt
run "" -i a.txt
run ref.1 --tokenize spm --spm-model - <a.txt
cp a.txt $'odd\e[31m\nname'; tt-bleu ref.1 -i $'odd\e[31m\nname' b.txt | grep odd
printf 'caf\xe9\nx\nok \xff\n' >latin1
run ref.1 -i latin1
gzip -c ref.1 | head -c 40 >broken.gz
run broken.gz -i a.txt
yes 'A tokenised line .' | head -n 100 >tokenised
run tokenised -i tokenised
tt-bleu ref.1 -i a.txt 2>&1 >/dev/full
echo "exit $?"
