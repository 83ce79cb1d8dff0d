# The sign of an accelerator is in the translation once, whatever this is.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 60
mv run/update-0000060.tt model.tt
t() { tt-translate -q -m model.tt --extra-length 5 "$@"; }
a() { t --keep accelerators "$@"; }
printf '%s\n' 'The &dog eats...' 'The _cat' 'AT&T' 'The dog eats.' '' >in
a in >out 2>err; echo "exit status $?"
wc -l <out | named "lines"; sed -n 1p out | grep -o '(&D)'; sed -n 2p out | grep -o '(_C)'
sed -n 4p out | cmp - <(t <<<'The dog eats.') && echo "other lines are as without"
sed -n 1p out | sed 's/(&D)//' | cmp - <(t <<<'The dog eats...') && echo "the text is that without the sign"
a --n-best 2 <<<'The &dog' 2>/dev/null | grep -c '(&D)' | named "entries of a list with the sign"
echo '{"text": "The &dog"}' | a --json 2>/dev/null | grep -c '(&D)' | named "replies in JSON with it"
printf '1\tThe &dog\n' | a --column 2 2>/dev/null | grep -c '(&D)' | named "columns with it"
a <<<'The &dog and &cat' 2>&1 >/dev/null; echo "exit status $?"
t --keep accelerators --markup html in 2>&1 | head -n 1
coproc tt { a 2>/dev/null; }
echo 'The &dog' >&"${tt[1]}"; read -r -t 20 answer <&"${tt[0]}"; grep -c '(&D)' <<<"$answer" | named "answers at once"
