# Equal systems, and such as differ in few of 40 lines, where an exact test gives 1, 1, 0.5, 0.25, 0.125, 0.0625 and 0.03125: no
# star above 0.05, although sacreBLEU's p, which counts larger differences only, is the least. The first system is given once.
for i in {1..40}; do echo "line number $i of the text is this one"; done >ref
sed 's/number/numeral/' ref >base
cp base differs-0
for n in {1..6}; do sed "1,${n}s/numeral/number/" base >"differs-$n"; done
sed '1,13s/numeral/number/' base >differs-13
tt-bleu ref -i base differs-? differs-13 --paired-ar --samples 1000 --metric bleu,ter
tt-bleu ref -i base differs-0 differs-1 differs-6 --paired-bs --samples 1000 --metric chrf
echo "json"
tt-bleu ref -i base differs-0 differs-5 differs-13 --paired-ar --samples 1000 --json | grep -E '"(system|p_value|exact_p_value|significant|differing_segments)"'
# Better in some lines and worse in as many others: no difference, and so no star, however often trials find a larger one.
sed '1,20s/number/numeral/' ref >first
sed '21,$s/number/numeral/' ref >second
tt-bleu ref -i first second --paired-ar --metric ter --samples 1000 | sed 2q
run() { echo "$ tt-bleu $*"; tt-bleu "$@" 2>&1; echo "exit $?"; }
mkdir sys; cp base differs-6 sys
run ref -i base base differs-6 --paired-ar -q -b
run ref -i sys/base sys/* --paired-bs -b
run ref -i sys/base ./sys/base sys/differs-6 --paired-bs -b
run ref -i base base --paired-ar
run ref -i base differs-6 differs-6 --paired-ar
run ref -i base base
run ref -i one=base two=base --paired-ar --samples 100 -b
SACREBLEU_SEED=7 run ref -i base --confidence --samples 20
SACREBLEU_SEED=7 run ref -i base --confidence --samples 20 --seed 8
SACREBLEU_SEED=seven run ref -i base --confidence --samples 20
SACREBLEU_SEED=seven run ref -i base -ci --samples 20 --seed 7 -b
a=$(SACREBLEU_SEED=None tt-bleu ref -i base -ci) b=$(SACREBLEU_SEED=None tt-bleu ref -i base -ci)
[ "$a" = "$b" ] || echo 'none: another seed each time'
