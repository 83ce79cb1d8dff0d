# Dropout depends on the seed and the line number: the same for any number of threads, different for another seed.
. "$TT_ROOT/tests/cli/bpe.bash"
lines 600 >text
tt-bpe train -q --vocab-size 100 -o bpe.model text
tt-bpe train -q --type unigram --vocab-size 60 -o unigram.model text
lines 3000 5 >input
for flags in 'bpe --dropout 0.2' 'unigram --alpha 0.3'; do
  set -- $flags
  draw() { tt-bpe encode -q -m "$model.model" "$@" <input; }
  model=$1; shift
  draw "$@" --threads 1 >one
  draw "$@" --threads 4 | cmp - one && echo "$model: same"
  draw "$@" --seed 2 | cmp -s - one || echo "$model: another"
  draw | cmp -s - one || echo "$model: another"
  tt-bpe decode -q -m "$model.model" <one | cmp - input && echo "$model: same text"
done
tt-bpe encode -q -m bpe.model --dropout 0 <input | cmp - <(tt-bpe encode -q -m bpe.model <input) && echo same
tt-bpe encode -q -m unigram.model --dropout 0.1 <input; echo "exit status $?"
tt-bpe encode -q -m bpe.model --alpha 0.1 <input; echo "exit status $?"
