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
[ -e x.tt ] || echo "no model was written"
