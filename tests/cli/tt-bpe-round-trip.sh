# Text comes back from its pieces and from their numbers; a model from stdin, gzip or several files is the same model.
. "$TT_ROOT/tests/cli/bpe.bash"
lines 600 >text
for type in bpe unigram; do
  tt-bpe train -q --type $type --vocab-size 100 -o $type.model text || exit
  lines 100 7 >other
  for ids in '' --ids; do
    tt-bpe encode -q -m $type.model $ids other | tt-bpe decode -q -m $type.model $ids | cmp - other && echo "$type $ids: same"
  done
done
head -n 300 text >first; tail -n 300 text | gzip >second.gz
tt-bpe train -q --vocab-size 100 -o - first second.gz | cmp - bpe.model && echo same
tt-bpe train -q --vocab-size 100 -o - <text | cmp - bpe.model && echo same
tt-bpe train --vocab-size 100 --lines 200 --seed 3 -o - text 2>/dev/null | cmp -s - bpe.model || echo different
echo 'the old mill' | tt-bpe encode -q -m bpe.model
echo 'the old mill' | tt-bpe encode -q -m bpe.model --ids | tr ' ' '\n' | while read -r id; do tt-bpe vocab -m bpe.model | grep "^$id	" | cut -f 2; done
