# The recipe for models of Firefox, from a server of files: found in a registry, imported, scored.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained run --max-updates 2 --start zero --position-layout tensor2tensor --norm-epsilon 1e-6 --output-bias --attention-bias
tt-export -q --to marian -o marian run/update-0000002.tt 2>/dev/null
head -n 20 corpus/train.en >my.en; head -n 20 corpus/train.ja >my.ja
folder=models/en-ja/spring_2026/exported
mkdir -p server/$folder
gzip <marian/model.npz >server/$folder/model.enja.intgemm.alphas.bin.gz
gzip <marian/vocab.spm >server/$folder/vocab.enja.spm.gz
echo lex | gzip >server/$folder/lex.50.50.enja.s2t.bin.gz
# Two models of one pair, of which the first is not released, and values of all kinds.
cat >models.json <<END
{"generated": "2026-07-26T00:40:13Z", "baseUrl": "file://$PWD/server",
 "models": {
  "de-en": [{"architecture": "tiny", "releaseStatus": "Release", "files": {"vocab": {"path": "models/de-en/vocab.deen.spm.gz"}}}],
  "en-ja": [
   {"architecture": "base", "releaseStatus": "Nightly", "metrics": [1.5, null, {"a, b": "x{\"}"}, []],
    "files": {"model": {"path": "$folder/../model.bin.gz"}, "vocab": {"path": "$folder/vocab.enja.spm.gz"}}},
   {"architecture": "tiny", "releaseStatus": "Release Android", "files": {
     "lexicalShortlist": {"path": "$folder/lex.50.50.enja.s2t.bin.gz", "uncompressedSize": 4},
     "model": {"path": "$folder/model.enja.intgemm.alphas.bin.gz", "path2": "x"},
     "vocab": {"path": "$folder/vocab.enja.spm.gz"}}}]}}
END
recipe() {
  make -s -f "$TT_ROOT/data/firefox.mk" BIN="$BUILD" OUT=out REGISTRY="file://$PWD/models.json" "$@" >log 2>&1
  echo "make ${*%%=*}: exit status $?"
}
recipe import PAIR=en-ja; ls out/firefox-en-ja
tt-translate -q -m out/firefox-en-ja.tt <my.en | wc -l
recipe import PAIR=en-ja; wc -c <log
# A test set that is there already.
mkdir out/archives; touch out/archives/wmt20.tgz; sleep 0.01
cp my.en out/wmt20.en-ja.src; cp my.ja out/wmt20.en-ja.ref
recipe wmt20 PAIR=en-ja; grep -o '"name": "BLEU"\|^BLEU' log

# What the registry lacks, or should not have; no file is made of it.
for wrong in "PAIR=fr-en" "PAIR=de-en" "PAIR=en-ja ARCHITECTURE=big" "PAIR=en-ja ARCHITECTURE=base"; do
  recipe import $wrong; grep firefox-files: log
done
recipe import; grep -o 'say of which languages' log
files() { "$TT_ROOT/data/firefox-files" en-ja; echo "exit status $?"; }
tr -d '\n' <models.json | files | sed "s|$PWD|.|"
for bytes in 0 10 300 700; do head -c $bytes models.json | files 2>&1; done
echo '<!DOCTYPE html>' | files 2>&1
rm server/$folder/vocab.enja.spm.gz; rm -r out/firefox-en-ja out/firefox-en-ja.tt
recipe import PAIR=en-ja; grep -c '^curl' log; ls out/firefox-en-ja 2>/dev/null
true
