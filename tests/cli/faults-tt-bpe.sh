# tt-bpe, with every system call failing once.
. "$TT_ROOT/tests/cli/bpe.bash"
. "$TT_ROOT/tests/cli/faults.bash"
lines 2500 >text
gzip -c text >text.gz
before() { echo precious >bpe.model; }
program() { tt-bpe train -q --vocab-size 60 -o bpe.model text.gz >out 2>err; }
tt-bpe train -q --vocab-size 60 -o good.model text.gz
echo precious >old
after() { whole "$1" bpe.model good.model old; }
echo "train"; faults 4

tt-bpe encode -q -m good.model text >encoded
before() { :; }
after() { stream "$1" encoded; }
program() { tt-bpe encode -q --threads 2 -m good.model text.gz >out 2>err; }
echo "encode"; faults 4
program() { tt-bpe encode -q --threads 2 -m good.model <text 2>err | cat >out; return "${PIPESTATUS[0]}"; }
echo "encode, in a pipe"; faults 4
tt-bpe vocab -m good.model >vocabulary
after() { stream "$1" vocabulary; }
program() { tt-bpe vocab -m good.model >out 2>err; }
echo "vocab"; faults 4
