# The recipe of tt(7) for GNU parallel, killed in the middle: nothing is lost, and nothing is there twice.
parallel --version 2>/dev/null | grep -q 'GNU parallel' || { echo "GNU parallel is not installed" >&2; exit 77; }
. "$TT_ROOT/tests/cli/train.bash"
. "$TT_ROOT/tests/cli/parts.bash"
prepare_corpus
recipe translate-parallel
killed_once 'part.*.out' sh translate-parallel
cmp expected corpus.de && echo same
echo 'a part is lost'
rm part.0003.out corpus.de && sh translate-parallel && cmp expected corpus.de && echo same
echo 'a model that comes while the parts are made is that of all'
trained_run 10 && cp run/update-0000010.tt next.tt
rm part.*.out; (until ls part.*.tmp >/dev/null 2>&1; do sleep 0.02; done; cp next.tt new.tt; mv new.tt model.tt) & sh translate-parallel; wait
sh translate-parallel; tt-translate -q -m model.tt <corpus.en | cmp - corpus.de && echo same
echo 'another corpus, with a line that is degraded'
{ printf 'a\xff\xfe b\n'; head -n 300 corpus.en; } >other && mv other corpus.en
tt-translate -q -m model.tt <corpus.en >expected 2>/dev/null
sh translate-parallel 2>warned && cmp expected corpus.de && echo same
grep -c 'not valid UTF-8\|not UTF-8' warned
