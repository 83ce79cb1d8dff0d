# For tests of recipes in tt-machines(7) that translate a corpus in parts.

# A model, a corpus of 4,000 lines, and what one call makes of it.
prepare_corpus() {
  prepare >/dev/null
  trained_run 5 && mv run/update-0000005.tt model.tt || exit 1
  toy -q --train 4000 --dev 0 --test 0 big
  mv big/train.en corpus.en
  tt-translate -q -m model.tt <corpus.en >expected
}

# recipe NAME: a file of tt-machines(7), as it stands in the page.
recipe() {
  awk -v name="$1" '$0 == ".\\\" file " name { armed = 1; next } /^\.Ed/ { inside = 0 } inside; armed && /^\.Bd -literal/ { inside = 1; armed = 0 }' \
    "$TT_ROOT/man/tt-machines.7" | sed 's/\\&//g; s/\\e/\\/g' >"$1"
  [ -s "$1" ] || { echo "tt-machines(7) has no $1"; exit 1; }
}

# killed_once COMMAND...: SIGKILL to all of it when some of the parts are there, and then the same once more.
killed_once() { # PATTERN COMMAND...
  local parts=$1 pid
  shift
  setsid "$@" >/dev/null 2>&1 & pid=$!
  disown
  while kill -0 $pid 2>/dev/null && [ "$(ls $parts 2>/dev/null | wc -l)" -lt 5 ]; do sleep 0.02; done
  kill -KILL -- -$pid 2>/dev/null || echo "ended before the kill"
  while [ -n "$(ps -o pid= --sid $pid)" ]; do sleep 0.02; done
  [ ! -e corpus.de ] || echo "a part was published"
  "$@" >log 2>&1 || { cat log; echo "exit status $?"; }
}
