# The programs that score and plot, with every system call failing once.
. "$TT_ROOT/tests/cli/log.bash"
. "$TT_ROOT/tests/cli/attention.bash"
. "$TT_ROOT/tests/cli/faults.bash"
for i in {1..3000}; do echo "the old mill stands $i behind the house"; done >reference
sed 's/stands/turns/' reference | gzip -c >hypothesis.gz
before() { :; }
program() { tt-bleu --threads 2 --metric bleu,chrf -i hypothesis.gz reference >out 2>err; }
tt-bleu --metric bleu,chrf -i hypothesis.gz reference >good
after() { stream "$1" good; }
echo "tt-bleu"; faults 4

echo precious >old
before() { cp old a.png; }
after() { whole "$1" a.png good.png old; }
run 100 3000 >log.jsonl
tt-log-plot -o good.png log.jsonl
program() { tt-log-plot -o a.png log.jsonl >out 2>err; }
echo "tt-log-plot"; faults 4
records >attention.jsonl
tt-attention-plot -o good.png attention.jsonl
program() { tt-attention-plot -o a.png attention.jsonl >out 2>err; }
echo "tt-attention-plot"; faults 4
tt-pe-plot -n 5 -d 16 -o good.png
program() { tt-pe-plot -n 5 -d 16 -o a.png >out 2>err; }
echo "tt-pe-plot"; faults 4
