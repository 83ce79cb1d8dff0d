# A folder as Firefox downloads it: a model, SentencePiece models and a shortlist, and nothing that names them.
. "$TT_ROOT/tests/cli/train.bash"
prepare
body() { tail -c +$((9 + $(od -A n -t u8 -N 8 "$1"))) "$1"; }
trained run --max-updates 2 --start zero --position-layout tensor2tensor --norm-epsilon 1e-6 --output-bias --attention-bias
tt-export -q --to marian -o marian run/update-0000002.tt 2>/dev/null; tt-import -q -o marian.tt marian
mkdir firefox; cp marian/model.npz firefox/model.enja.intgemm.alphas.bin; cp marian/vocab.spm firefox/vocab.enja.spm
import() { tt-import -q -o firefox.tt firefox 2>&1; echo "  exit status $?"; }
import; cmp <(body marian.tt) <(body firefox.tt) && echo "the same model"
echo lex >firefox/lex.50.50.enja.s2t.bin; import
cp firefox/vocab.enja.spm firefox/trgvocab.enja.spm; mv firefox/vocab.enja.spm firefox/srcvocab.enja.spm; import
rm firefox/trgvocab.enja.spm; import
cp marian/model.npz firefox/model.jaen.bin; import
