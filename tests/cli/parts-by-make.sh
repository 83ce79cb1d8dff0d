# The recipe of tt(7) for make -j, killed in the middle: nothing is lost, nothing is there twice, nothing that is done is done again.
. "$TT_ROOT/tests/cli/train.bash"
. "$TT_ROOT/tests/cli/parts.bash"
prepare_corpus
recipe translate.mk
killed_once 'corpus.de.parts/*.out' make -j2 -f translate.mk IN=corpus.en OUT=corpus.de MODEL=model.tt
cmp expected corpus.de && echo same
[ "$(grep -v "does not know" log | grep -c tt-translate)" -lt 62 ] && echo "what was done stayed"
make -s -f translate.mk IN=corpus.en OUT=corpus.de MODEL=model.tt
[ "$(cat corpus.de.parts/0000.first corpus.de.parts/0001.first)" = "$(printf '1\n%d' $(($(wc -l <corpus.de.parts/0000) + 1)))" ] &&
  echo "the lines of a part have their numbers"
