# Only LF ends a line; U+3000 and U+00A0 are white space, U+FEFF, CR, U+2028 and NUL within a line are not its end.
printf '\357\273\277eins zwei\rdrei\302\240vier\0f\342\200\250sechs\nEnde ohne LF\343\200\200' >a
tt-bleu a <a -t none
tt-bleu a <a -t char --score-only | named "BLEU of characters"
printf 'eins zwei\nEnde ohne LF' >b
tt-bleu a <b -t none
yes 'wort' | head -n 100000 | tr '\n' ' ' >long
tt-bleu long <long --metric bleu,chrf,ter --score-only | paste -sd ' ' | named "BLEU, chrF and TER of a long line"
printf '\n\n' >empty
tt-bleu empty <empty --metric bleu,chrf,ter
