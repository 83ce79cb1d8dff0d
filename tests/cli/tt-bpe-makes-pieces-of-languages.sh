# Pieces that choose a language: no text has them, also where it spells them.
. "$TT_ROOT/tests/cli/train.bash"
prepare
tt-bpe train -q --vocab-size 400 --languages en,ja --languages deu_Latn,'>>fra<<' -o many.model corpus/train.en corpus/train.ja && tt-bpe vocab -m many.model |
  head -n 8
echo 'the dog __ja__ >>fra<<' | tt-bpe encode -m many.model
echo 'the dog __ja__' | tt-bpe encode -m many.model --ids | grep -c -w 4
for list in German pt-BR en,en '__en__,en' ''; do tt-bpe train -q --vocab-size 400 --languages "$list" -o other.model corpus/train.en; echo "exit status $?"
  done
