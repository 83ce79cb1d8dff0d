# Each refusal is one line with both names and exit status 1, and keeps existing files.
. "$TT_ROOT/tests/cli/safetensors.bash"
refused() { tt-average "$@"; echo "exit status $?"; }
echo precious >mean.tt
mkdir run
model run/update-0000100.tt 1
model wide.tt 1 16
head -c 120 run/update-0000100.tt >short.tt
frame '{"__metadata__":{"format":"tt-1","kind":"optimizer"}}' </dev/null >state.tt
frame '{"__metadata__":{"format":"pt"}}' </dev/null >other.safetensors
echo 'some text, long enough' >text
refused -o mean.tt run/update-0000100.tt wide.tt
refused -o mean.tt --last 2 run
refused -o mean.tt --best 1 run
refused -o mean.tt run
refused -o mean.tt --last 1 wide.tt
refused -o mean.tt --last 1 run wide.tt
refused -o mean.tt --last 1 none
refused -o mean.tt none.tt
refused -o mean.tt short.tt
refused -o mean.tt state.tt
refused -o mean.tt other.safetensors
refused -o mean.tt text
refused -o none/mean.tt wide.tt
cat mean.tt
ls
