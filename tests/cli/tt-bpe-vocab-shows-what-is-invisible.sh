# Number, text and score of every piece, one line each, without characters that a terminal would hide.
. "$TT_ROOT/tests/cli/bpe.bash"
lines 600 >text
tt-bpe train -q --vocab-size 60 --normalisation identity -o bpe.model --user-symbols $'<to-de>,a\tb,\u200b,back\\slash,\u3000' text
tt-bpe vocab -m bpe.model | head -n 12
tt-bpe vocab -m bpe.model | awk -F '\t' 'NF != 3 || $1 != NR - 1 { print "wrong: " $0 } END { print NR }'
tt-bpe train -q --vocab-size 320 --byte-fallback -o bytes.model text
tt-bpe vocab -m bytes.model | sed -n '4p;259p'
echo 'mill €' | tt-bpe encode -q -m bytes.model | tr ' ' '\n' | tail -n 3
echo 'mill €' | tt-bpe encode -q -m bytes.model | tt-bpe decode -q -m bytes.model
