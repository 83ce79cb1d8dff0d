# tt-export and tt-import, with every system call failing once: the files of a folder are all new or all old.
. "$TT_ROOT/tests/cli/train.bash"
. "$TT_ROOT/tests/cli/faults.bash"
prepare
quick_train -q -o run --max-updates 1 --d-model 16 --d-ff 16 --heads 1
quick_train -q -o other --max-updates 1 --d-model 16 --d-ff 16 --heads 1 --seed 7
for format in ctranslate2 hugging-face; do
  rm -rf good old
  tt-export -q --to $format -o good run/update-0000001.tt
  tt-export -q --to $format -o old other/update-0000001.tt
  before() { rm -rf folder; cp -r old folder; }
  program() { tt-export -q --to $format -o folder run/update-0000001.tt >out 2>err; }
  # Once all files are complete, the renames of several cannot be one: a name at a time is new.
  after() {
    [ "$1" = 0 ] && { diff -rq folder good; return; }
    grep -q 'rename\|power cut' <<<"$call $name" || diff -rq folder good >differs || diff -rq folder old
  }
  echo "$format"; faults 20
  before() { rm -rf folder; }
  after() { [ "$1" = 0 ] && { diff -rq folder good; return; }; [ "$name" = rename ] || [ "$name" = sync ] || [ ! -e folder ] || diff -rq folder good; }
  echo "$format, a new folder"; faults 20
done
