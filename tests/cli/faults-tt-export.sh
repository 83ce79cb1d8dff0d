# tt-export, with every system call failing once: the files of a folder are all new or all old.
. "$TT_ROOT/tests/cli/train.bash"
. "$TT_ROOT/tests/cli/faults.bash"
prepare
small="--max-updates 1 --d-model 16 --d-ff 16 --heads 1 --start zero --position-layout tensor2tensor --norm-epsilon 1e-6"
quick_train -q -o run $small
# Of another vocabulary and size, so that no file is the same.
tt-bpe train -q --vocab-size 380 -o subword.model corpus/train.en corpus/train.ja
quick_train -q -o other $small --d-ff 32
for format in ctranslate2 hugging-face marian; do
  rm -rf good old
  tt-export -q --to $format -o good run/update-0000001.tt
  tt-export -q --to $format -o old other/update-0000001.tt
  # Settings that a format does not keep are no fault.
  program() {
    local status
    tt-export -q --to $format -o folder run/update-0000001.tt >out 2>all
    status=$?
    grep -vE 'does not keep|cannot keep' all >err
    [ $status != 3 ] || status=0
    return $status
  }
  after() { whole_folder "$1" folder good old; }
  before() { rm -rf folder; cp -r old folder; }
  echo "$format"; faults 20
  before() { rm -rf folder; }
  after() { whole_folder "$1" folder good; }
  echo "$format, a new folder"; faults 20
done
