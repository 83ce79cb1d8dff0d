# Input that is no pairs of lines gets one clear line, and leaves no output; text that is not UTF-8 is dropped, and reported.
. "$TT_ROOT/tests/cli/refused.bash"
printf 'a\tb\n' >pairs; printf 'a\nb\n' >two; printf 'a\n' >one
refused tt-clean one
refused tt-clean -o 1 -o 2 one two
refused tt-clean -o 1 -o 2 two one
refused tt-clean none
refused tt-clean -o 1 one two
refused tt-clean -o 1 -o 2 pairs
refused tt-clean -o 1 -o 2 one two two
refused tt-clean -o pairs pairs
refused tt-clean -o 1 -o 1 one one
refused tt-clean --dropped 1 -o 1 pairs
refused tt-clean --dropped ./1 -o 1 pairs
ln -s 1 link; refused tt-clean --dropped link -o 1 pairs; rm link
refused tt-clean --dropped 2 -o 1 -o 2 one one
touch is-there; refused tt-clean --dropped is-there -o is-there pairs; rm is-there
refused tt-clean --dropped - pairs
refused tt-clean --dropped - -o /dev/stdout pairs
tt-clean -q --dropped /dev/null -o /dev/null pairs && echo "devices may be the same"
refused tt-clean --dropped pairs pairs
refused tt-clean --held-out - -
refused tt-clean --held-out none pairs
refused tt-clean --ratio 0.5 pairs
refused tt-clean --ratio x pairs
refused tt-clean --empty maybe pairs
refused tt-clean --script 0.5 pairs
refused tt-clean --only script pairs
refused tt-clean --only held-out-text pairs
refused tt-clean --only ratoi pairs
refused tt-clean --only empty --length 3 pairs
refused tt-clean --only empty --languages en,de --language on pairs
refused tt-clean --only empty --held-out one pairs
refused tt-clean --only ratio --ratio off pairs
refused tt-clean --only language --languages en,de --language off pairs
tt-clean --only empty --length off pairs
tt-clean --only empty --held-out one --held-out-text off pairs
refused tt-clean --languages en pairs
refused tt-clean --languages en,xq pairs
refused tt-clean --languages acm,en pairs
refused tt-clean --languages en, pairs
refused tt-clean --dry-run -o 1 pairs
ls
echo '<?xml version="1.0"?>' >corpus.tmx
refused tt-clean corpus.tmx
printf '<tmx version="1.4">\n' >corpus.tmx
refused tt-clean corpus.tmx
refused tt-clean -o 1 -o 2 corpus.tmx one
refused tt-clean -o 1 -o 2 one corpus.tmx
refused tt-clean --held-out corpus.tmx pairs
printf 'a\tb\tc\n' | tt-clean 2>&1
printf 'a\tb\nc\t\344\n\344\td\n' | tt-clean -q 2>&1
echo "exit status $?"
printf 'a\nb\n' >1; printf '\344\nb\n' >2; tt-clean -o 3 -o 4 1 2 2>&1; cat 3 4
printf '\344\n' >bad; refused tt-clean --held-out bad pairs
