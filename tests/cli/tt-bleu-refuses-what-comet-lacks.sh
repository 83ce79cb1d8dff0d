# What COMET needs and has not is said in a line.
. "$TT_ROOT/tests/cli/refused.bash"
golden=$TT_ROOT/tests/golden/comet
tt-import -q -o comet.tt "$golden/regression"
tt-import -q -o qe.tt "$golden/referenceless"
cp "$golden/src" "$golden/mt" "$golden/ref" .
refused tt-bleu -m comet ref -i mt
refused tt-bleu --model comet.tt ref -i mt
refused tt-bleu -m bleu,comet --model comet.tt ref -i mt
refused tt-bleu -m comet --model comet.tt --source src -i mt
refused tt-bleu -m comet --model comet.tt -i mt
refused tt-bleu --source src ref -i mt
refused tt-bleu --int8 ref -i mt
refused tt-bleu --source src -i mt
refused tt-bleu -m bleu,comet --model qe.tt --source src -i mt
refused tt-bleu -m comet --model qe.tt --source src --num-refs 2 -i mt
refused tt-bleu -m comet --model qe.tt --source src --num-refs 2 --skip-empty-references -i mt
refused tt-bleu -m comet --model qe.tt --source src --int8 --precision bfloat16 -i mt
head -n 3 src >short
refused tt-bleu -m comet --model comet.tt --source short ref -i mt
refused tt-bleu -m comet --model comet.tt --source src ref ref -i mt
refused tt-bleu -m comet --model src --source src ref -i mt
refused tt-bleu -m comet --model none.tt --source src ref -i mt
refused tt-translate -m comet.tt
cp -r "$golden/regression" "$golden/unified" .
cp -r regression x
rm x/sentencepiece.bpe.model
refused tt-import -o x.tt x
refused tt-import -o x.tt x --source-subword src
cp "$TT_ROOT/tests/fuzz/seeds/subword/unigram.model" other.model
refused tt-import -o x.tt x --source-subword other.model
cp -r "$golden/referenceless" minilm
refused tt-import -o x.tt minilm --source-subword other.model
refused tt-import -o x.tt x --source-subword unified/sentencepiece.bpe.model --target-subword src
sed -i 's/regression_metric/ranking_metric/' x/hparams.yaml
refused tt-import -o x.tt x
cp "$golden/regression/hparams.yaml" x
rm x/checkpoints/model.ckpt
refused tt-import -o x.tt x
cp src x/checkpoints/model.ckpt
refused tt-import -o x.tt x
head -c 3000 "$golden/regression/checkpoints/model.ckpt" >x/checkpoints/model.ckpt
refused tt-import -o x.tt x
echo "pointers of Git LFS in place of files"
lfs() { printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 2318000000\n' 7 >"$1"; }
for file in hparams.yaml config.json sentencepiece.bpe.model checkpoints/model.ckpt; do
  rm -rf x && cp -r regression x && lfs x/$file
  refused tt-import -o x.tt x
done
lfs lfs.npz; refused tt-import -o x.tt lfs.npz
head -c 20000 "$golden/marian/comet.npz" >cut.npz; refused tt-import -o x.tt cut.npz
cp "$golden/marian/comet.npz" .; refused tt-import -o x.tt comet.npz
lfs vocab.spm; refused tt-import -o x.tt comet.npz
refused tt-import -o x.tt comet.npz --source-subword src
refused tt-import -o x.tt comet.npz --source-subword unified/sentencepiece.bpe.model --target-subword src
refused tt-import -o x.tt --from marian comet.npz
refused tt-import -o x.tt --int8 comet.npz
refused tt-translate -m qe.tt
[ -e x.tt ] || echo "no model was written"
