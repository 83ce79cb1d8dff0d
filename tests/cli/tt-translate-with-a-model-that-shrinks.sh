# A model in use that is made shorter ends the program with a message; what was translated before is there, and no partial file.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained_run 1
cp run/update-0000001.tt model.tt
mkfifo in
tt-translate -q -m model.tt -o out <in &
exec 7>in
head -n 1 corpus/test.en >&7
while kill -0 $! && [ ! -s out ]; do sleep 0.05; done
truncate -s 0 model.tt
head -n 3 corpus/test.en >&7
exec 7>&-
wait $!; echo "exit status $?"
head -n 1 corpus/test.en | tt-translate -q -m run/update-0000001.tt | cmp - out && echo "the first line"
ls
