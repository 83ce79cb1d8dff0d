# The recipes for packages of Argos, and for models of many languages from Hugging Face, from a server of files with their indexes.
. "$TT_ROOT/tests/cli/train.bash"
. "$TT_ROOT/tests/cli/archive.bash"
prepare
head -n 20 corpus/test.en >my.en; head -n 20 corpus/test.ja >my.ja
recipe() { # FILE ARGUMENTS...
  make -s -f "$TT_ROOT/data/$1.mk" BIN="$BUILD" OUT=out sha256_flores="$(sha256sum <server/flores.tgz | cut -d ' ' -f 1)" \
    url_flores="file://$PWD/server/flores.tgz" index="file://$PWD/server/index.json" hub="file://$PWD/server" "${@:2}" >log 2>&1
  echo "make -f $1.mk ${*:2}: exit status $?" | sed "s|$PWD/||g"
}
mkdir -p server out/archives
# FLORES-200, in two languages.
mkdir -p flores200_dataset/devtest flores200_dataset/dev
for split in dev devtest; do cp my.en flores200_dataset/$split/eng_Latn.$split; cp my.ja flores200_dataset/$split/jpn_Jpan.$split; done
tar -czf server/flores.tgz ./flores200_dataset
# A test set of WMT that is there already.
touch out/archives/wmt20.tgz; sleep 0.01; cp my.en out/wmt20.en-ja.src; cp my.ja out/wmt20.en-ja.ref

echo "-- Argos: the latest version of a pair, in an index of several"
trained run --max-updates 20 --source-eos false
tt-export -q --to ctranslate2 -o en_ja/model run/update-0000020.tt
rm en_ja/model/*.spm; cp subword.model en_ja/sentencepiece.model; echo '{}' >en_ja/metadata.json
archive en_ja >server/new.argosmodel
cat >server/index.json <<X
[
    {
        "package_version": "1.9", "argos_version": "1.9.0", "from_code": "en", "from_name": "English", "to_code": "ja",
        "to_name": "Japanese",
        "links": [
            "file://$PWD/server/old.argosmodel"
        ]
    },
    { "package_version": "1.0", "from_code": "ja", "to_code": "en", "links": ["ipfs://Qm"], "code": "translate-ja_en" },
    { "links": ["ipfs://Qm", "https://server/ar.argosmodel"], "from_code": "en", "to_code": "ar", "package_version": "1.0" },
    {"package_version":"1.10","from_code":"en","to_code":"ja","links":["ipfs://Qm","file://$PWD/server/new.argosmodel"]}
]
X
recipe argos list; grep '^[a-z]*-' log | sed "s|$PWD/||g"
recipe argos import PAIR=en-ja; grep -o '^tt-import' log | sort -u
tt-translate -q -m out/argos-en-ja.tt <my.en | wc -l
recipe argos wmt20 PAIR=en-ja; grep -o '"name": "BLEU"\|^BLEU' log
recipe argos flores PAIR=en-ja FLORES=eng_Latn-jpn_Jpan; grep -o '^BLEU\|^chrF' log
recipe argos import PAIR=en-xx; grep -o 'argos: .*' log
recipe argos import; grep -o 'say of which languages' log
recipe argos flores PAIR=en-ja; grep -o 'say of which languages' log
recipe argos flores PAIR=en-ja FLORES=en-ja; grep -o 'give the languages as FLORES has them' log
echo '{}' >server/index.json; rm out/argos-index.json; recipe argos list; tail -n 2 log | head -n 1

echo "-- Hugging Face: the files that an import needs, of those there are, and weights in parts"
trained_run 20
repository() { # NAME FILES...: those of a model, as the list of them
  local name=$1 file list=; shift
  mkdir -p "server/$name/resolve/main" "server/api/models/$name/revision"
  for file; do list+="${list:+, }{\"rfilename\": \"$file\"}"; done
  echo "{\"id\": \"$name\", \"tags\": [\"translation\", \"pytorch_model.bin\"], \"siblings\": [$list], \"private\": false}" \
    >"server/api/models/$name/revision/main"
}
tt-export -q --to hugging-face -o exported run/update-0000020.tt
repository me/small README.md config.json generation_config.json source.spm target.spm vocab.json tf_model.h5 pytorch_model.bin model.safetensors
cp exported/* server/me/small/resolve/main/
recipe nllb import NAME=me/small; sed -n "s|.*/resolve|resolve|p" log
tt-translate -q -m out/small.tt <my.en | wc -l
recipe nllb import NAME=me/small; wc -c <log
recipe nllb import NAME=me/none; grep -c 'curl' log
repository me/other README.md onnx/model.onnx; recipe nllb import NAME=me/other; grep -o 'me/other: .*' log
# Parts that are named by an index; what is there already is not asked for again.
repository me/large config.json generation_config.json source.spm target.spm vocab.json model.safetensors.index.json model-00001-of-00001.safetensors
cp exported/* server/me/large/resolve/main/; mv server/me/large/resolve/main/model.safetensors server/me/large/resolve/main/model-00001-of-00001.safetensors
keys=$(head -c 200000 exported/model.safetensors | tail -c +9 | grep -oa '"[a-z_0-9.]*":{"d' | tr -d '{:' |
  sed 's/"d$//; s/$/: "model-00001-of-00001.safetensors"/' | paste -s -d ,)
echo "{\"metadata\": {\"total_size\": 1}, \"weight_map\": {$keys}}" >server/me/large/resolve/main/model.safetensors.index.json
mkdir -p out/large; cp exported/vocab.json out/large/
recipe nllb import NAME=me/large; sed -n "s|.*/resolve|resolve|p" log; grep -o "^tt-import[^:]*" log
tt-translate -q -m out/large.tt <my.en | cmp - <(tt-translate -q -m out/small.tt <my.en) && echo "the same translations"
echo '{"weight_map": {}}' >out/large/model.safetensors.index.json; rm out/large/complete out/large.tt
recipe nllb import NAME=me/large; grep -o 'names no files.*' log

echo "-- a model of many languages is asked for these"
tt-export -q --to ctranslate2 -o many run/update-0000020.tt
sed -i '100s/"[^"]*"/"eng_Latn"/; 101s/"[^"]*"/"jpn_Jpan"/' many/shared_vocabulary.json
sed -i 's/"decoder_start_token": "<s>"/"decoder_start_token": "<\/s>"/; s/"add_source_eos": true/"add_source_eos": false/' many/config.json
tt-import -q -o many.tt many
recipe nllb flores FLORES=eng_Latn-jpn_Jpan MODEL=many.tt; grep -o '^BLEU\|^chrF' log; ls out/*.hyp
recipe nllb wmt20 PAIR=en-ja MODEL=many.tt; grep -o '"name": "BLEU"\|^BLEU' log
cmp out/flores.nllb-200-distilled-600M.eng_Latn-jpn_Jpan.hyp out/wmt20.nllb-200-distilled-600M.en-ja.hyp && echo "the same translations"
recipe nllb flores MODEL=many.tt; grep -o 'say of which languages' log
