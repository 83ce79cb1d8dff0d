# The mean of given checkpoints, of the last and of the best of a folder. Only update 3 has no validation.
. "$TT_ROOT/tests/cli/safetensors.bash"
mkdir run
model run/update-0000001.tt 1 8 bleu 30
model run/update-0000002.tt 4 8 bleu 20
model run/update-0000003.tt 2
model run/update-0000004.tt 3 8 bleu 25.5
frame '{"__metadata__":{"format":"tt-1","kind":"optimizer"}}' </dev/null >run/state.tt
tt-average -q -o given.tt run/update-0000002.tt run/update-0000003.tt && value given.tt | named "mean of 4 and 2"
tt-average -q -o last.tt --last 2 run && value last.tt | named "of the last, 2 and 3"
tt-average --output best.tt --best 2 run && value best.tt | named "of the best, 1 and 3"
# One that the run removes while they are looked at is as one that is gone.
ln -s gone run/update-0000005.tt; tt-average --output rest.tt --best 2 run && cmp best.tt rest.tt; rm rest.tt run/update-0000005.tt
tt-average -q -o one.tt run/update-0000002.tt && value one.tt | named "of 4 alone"
tt-average -q -o again.tt given.tt last.tt && value again.tt | named "of two means, 3 and 2.5"
ls
