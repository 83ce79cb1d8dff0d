# tt-average, with every system call failing once.
. "$TT_ROOT/tests/cli/safetensors.bash"
. "$TT_ROOT/tests/cli/faults.bash"
model a.tt 1
model b.tt 3
echo precious >old
tt-average -q -o good.tt a.tt b.tt
before() { cp old mean.tt; }
program() { tt-average -q -o mean.tt a.tt b.tt >out 2>err; }
after() { whole "$1" mean.tt good.tt old; }
faults 100
before() { rm -f mean.tt; }
after() { [ ! -e mean.tt ] || cmp mean.tt good.tt; }
echo "a new file"; faults 100
program() { tt-average -q -o - a.tt b.tt >out 2>err; }
after() { stream "$1" good.tt; }
echo "stdout"; faults 100
