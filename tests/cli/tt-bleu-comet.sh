# COMET is a metric as others are, with a model and the source text.
golden=$TT_ROOT/tests/golden/comet
run() { echo "$ $*"; "$@" 2>&1; echo "exit $?"; }
run tt-import -o comet.tt "$golden/regression" | sed "s|$TT_ROOT/||"
run tt-import -o qe.tt "$golden/referenceless" | sed "s|$TT_ROOT/||"
printf -- '---\nlicense: cc-by-nc-sa-4.0\n---\n' >README.md
cp -r "$golden/unified" kiwi && cp README.md kiwi
run tt-import -o kiwi.tt kiwi
cp "$golden/src" "$golden/mt" "$golden/ref" .
comet() { run tt-bleu -m comet --model comet.tt --source src "$@" | sed -E 's/(checksum[": ]*)[0-9a-f]{8}/\1.../'; }
comet ref <mt
comet ref --sentence --threads 2 <mt
comet ref --format json -w 3 <mt
run tt-bleu -m bleu,chrf,comet --model comet.tt --source src ref -b <mt
tac mt >other
comet ref -i mt other --paired-bs --samples 200
comet ref -i mt other --compare --top 1 | grep -v '^ *[0-9]* *[0-9]* *[^ ]*$'
comet ref -i mt --int8 -w 1
echo "without references"
run tt-bleu -m comet --model kiwi.tt --source src -i mt | sed -E 's/(checksum[": ]*)[0-9a-f]{8}/\1.../'
run tt-bleu -m comet --model kiwi.tt --source src ref -i mt | sed -E 's/(checksum[": ]*)[0-9a-f]{8}/\1.../'
paste src mt | cut -f 2 | run tt-bleu -m comet --model kiwi.tt --source src -b
