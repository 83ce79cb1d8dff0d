# Lines skipped in training are counted.
. "$TT_ROOT/tests/cli/bpe.bash"
{ lines 600; head -c 5000 /dev/zero | tr '\0' 'x'; printf '\n'; lines 10; } >text
tt-bpe train --vocab-size 100 -o a.model text 2>&1 | grep -o 'skipped.*'
tt-bpe train --vocab-size 100 --longest-line 6000 -o b.model text 2>&1 | grep -c 'skipped'
