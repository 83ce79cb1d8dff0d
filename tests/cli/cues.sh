# Sentences that run over cues, by the recipe. In place of a model stands one that writes words backwards in their order, and which links each
# to its own place: what --join puts together again is what whole sentences are translated by.
. "$TT_ROOT/tests/cli/train.bash"
prepare
{ head -n 8 corpus/test.en; echo "There are 12 dogs and 93"; } >text
mkdir bin; ln -s "$BUILD"/tt-* bin; rm bin/tt-translate
cat >bin/tt-translate <<'E2'
#!/bin/bash
case $* in
  *--score*) awk '{ printf "-1\t"; for (i = 0; i < NF; ++i) printf "%s%d-%d", i ? " " : "", i, i; print "" }' "${@: -1}" ;;
  *) rev "${@: -1}" | awk '{ for (i = NF; i > 0; --i) printf "%s%s", $i, (i > 1 ? " " : "\n") }' ;;
esac
E2
chmod +x bin/tt-translate; touch model.tt
bin/tt-translate text >whole
cues() { make -s -C "$TT_ROOT" -f data/cues.mk BIN="$PWD/bin" OUT="$PWD/out" FROM=en "$@"; }
cues cues MODEL="$PWD/model.tt" TEXT="$PWD/text" REFERENCE="$PWD/whole" LENGTH=12 2>&1 | sed 's/of [0-9]* links/of all links/'
sort out/cues.of | uniq -c | awk '{ n += $1 > 1 } END { print n " sentences have several cues" }'
diff out/cues.txt text && echo "cut at spaces"
diff out/joined.txt whole && echo "translated as whole sentences"
cues cues MODEL=model.tt 2>&1 | sed 's/^.*\*\*\* //'
