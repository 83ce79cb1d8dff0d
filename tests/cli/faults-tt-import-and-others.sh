# The programs that read a file and write another, with every system call failing once.
. "$TT_ROOT/tests/cli/train.bash"
. "$TT_ROOT/tests/cli/faults.bash"
prepare
quick_train -q -o run --max-updates 1 --d-model 16 --d-ff 16 --heads 1
mv run/update-0000001.tt model.tt
tt-export -q --to hugging-face -o hf model.tt
printf 'n\tseconds\n16\t0.5\n32\t0.7\n' >table
printf '(TOP (S (NP (D the) (N dog)) (VP (V runs))))\n%.0s' {1..2000} >trees
echo precious >old
# files COMMAND...: a program that writes the file "new".
files() {
  local command=("$@")
  rm -f new; "${command[@]}" >out 2>err; mv new good
  before() { cp old new; }
  program() { "${command[@]}" >out 2>err; }
  after() { whole "$1" new good old; }
  echo "${command[*]::2}"; faults 4
}
# lines COMMAND...: one that writes to stdout.
lines() {
  local command=("$@")
  "${command[@]}" >good 2>err
  before() { :; }
  program() { "${command[@]}" >out 2>err; }
  after() { stream "$1" good; }
  echo "${command[*]::2}"; faults 4
}
files tt-import -q -o new hf
files tt-model config -m model.tt -o new
files tt-model tensor -m model.tt -o new embeddings
files tt-table-plot -o new --format png table
echo dog | tt-translate -q -m model.tt --extra-length 2 --trace trace.jsonl >out
files tt-trace -o new trace.jsonl
rm -rf good; tt-trace -o good/ trace.jsonl
mkdir was; cp old was/index.html; cp old was/1.html
program() { tt-trace -o pages/ trace.jsonl >out 2>err; }
before() { rm -rf pages; cp -r was pages; }
after() { whole_folder "$1" pages good was; }
echo "tt-trace, a folder"; faults 4
before() { rm -rf pages; }
after() { whole_folder "$1" pages good; }
echo "tt-trace, a new folder"; faults 4
rm -r good
files tt-table-plot -o new --format html table
lines tt-trace --tsv encoder.input trace.jsonl
files tt-shortlist train -q --threads 2 -m subword.model -o new corpus/train.en corpus/train.ja
lines tt-model tensors -m model.tt
lines tt-table-plot --terminal ascii table
lines tt-tree linear trees
printf 'a %s\tein %s\n' {1..4000} >pairs
files tt-clean -q --only empty -o new pairs
tt-bpe encode -q -m subword.model corpus/train.en >encoded
lines tt-bpe decode -q --threads 2 -m subword.model encoded
for i in {0..1999}; do printf "$i ||| %s ||| F= 1 ||| 2\n" 'a dog' 'the dog'; done >lists
lines tt-mbr --threads 2 lists
printf 'F= 1\n' >weights
lines tt-rerank select --threads 2 --weights weights lists
yes 'a dog' | head -n 2000 >references
files tt-rerank tune -q --threads 2 --restarts 1 --references references -o new lists
for i in {0..1999}; do echo '{"translation": "a dog", "p": '$((i % 7))', "s": '$((i % 7 + i % 3))'}'; done >json
files tt-quality fit -q --score s -o new json
tt-quality fit -q --score s -o quality json
lines tt-quality apply -q --weights quality json
printf '<p>a <b>dog</b></p>\n%.0s' {1..2000} >page.html
printf 'ein <b>Hund</b>\n%.0s' {1..2000} >german
lines tt-document extract page.html
lines tt-document merge page.html german
files tt-document merge -o new page.html german
