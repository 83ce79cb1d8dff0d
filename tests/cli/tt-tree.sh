# Trees to lines, back, repaired, scored; and what is wrong with files.
. "$TT_ROOT/tests/cli/tree.bash"
trees >gold.mrg
tt-tree words gold.mrg | tee words
tt-tree linear <gold.mrg | tee linear
tt-tree linear --tags gold.mrg
tt-tree subtrees gold.mrg | tee parts
tt-tree heads gold.mrg
tt-tree words parts
tt-tree linear --words gold.mrg | tee by-words | head -n 1
sed 's/ old//; s/ tries/ tries hard/' by-words | tt-tree parse --words words
tt-tree parse words linear | tee parsed
tt-tree score gold.mrg parsed
gzip -c parsed | tt-tree score -b gold.mrg
sed '2s/(VP/(NP/; 2s/)S$//' linear | tt-tree parse words >repaired
echo "exit status $?"
tt-tree score gold.mrg repaired
echo "exit status $?"
head -n 1 linear | tt-tree parse words >/dev/null
echo "exit status $?"
(cat linear; head -n 1 linear) | tt-tree parse words >/dev/null
echo "exit status $?"
head -n 1 parsed | tt-tree score gold.mrg
(cat parsed; head -n 1 parsed) | tt-tree score gold.mrg
(sed -n 2p parsed; sed -n 1p parsed) | tt-tree score gold.mrg
tt-tree score - <parsed
echo "exit status $?"
sed '2s/(NN [a-z]*)//' parsed | tt-tree score gold.mrg
# A bracket around all that a model has learned to write.
sed 's/^/(ROOT /; s/$/ )ROOT/' linear | tt-tree parse words | tt-tree score gold.mrg
echo "(S (NP the" | tt-tree words
echo "exit status $?"
: >none
tt-tree score none none
tt-tree words none
# A line that reads as no tree again is repaired, or an error.
echo '(S -NONE- (=X XX )=X )S' | tt-tree parse <(echo a b) | tee out
tt-tree words out
echo >none
tt-tree parse none <(echo)
echo "exit status $?"
cp parsed same
tt-tree subtrees <same >>same
echo "exit status $?"
cmp parsed same
# Other words
sed 's/dog/cat/' parsed | tt-tree score gold.mrg
echo "exit status $?"
# Heads are found by tags.
tt-tree heads parsed
echo "exit status $?"
printf '\xef\xbb\xbf(S (N a))' | tt-tree words
printf '(N\033[31m\0P)' | tt-tree words
echo "exit status $?"
