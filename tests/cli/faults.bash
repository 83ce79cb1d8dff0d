# Makes the system calls of a program fail, one per run (lib/base/system.cc).
#
# A test defines three functions: `before` prepares the files for a run; `program` runs it, with data going to "out" and everything else to
# "err"; `after STATUS` prints what is wrong with the files afterwards. They run in a separate folder.
[ -x "$BUILD/faults/tt-bpe" ] || { echo "there are no programs with faults in $BUILD" >&2; exit 77; }
PATH=$BUILD/faults:$PATH
export OPENBLAS_NUM_THREADS=1

# How a call may fail. Calls that were interrupted by a signal, or partly done, must be completed.
errors_of() {
  case $1 in
    open) echo EMFILE EINTR ;;
    duplicate) echo EMFILE ;;
    read | read_at) echo EIO EINTR short ;;
    write) echo ENOSPC EINTR short ;;
    sync | rename | truncate | unlink) echo EIO EINTR ;;
    close) echo EIO EINTR ;;
    mkdir) echo ENOSPC ;;
    mode | lock) echo EIO EINTR ;;
    map) echo ENOMEM ;;
    thread) echo EAGAIN ;;
  esac
}

# The permitted outcomes of a failed call. Closing a file that was only read may fail, and a folder that cannot be read need not be synced.
statuses_of() {
  case $1 in
    *EINTR | *short) echo 0 ;;
    open* | close* | lock*) echo 0 1 ;;
    *) echo 1 ;;
  esac
}

# faults MOST: at most MOST calls of each kind fail, from the first to the last, and all that publish a file. Prints the kinds, and problems.
faults() {
  local most=$1 name error call status
  rm -f calls
  before
  TT_FAULT_LOG=$PWD/calls program || { echo "without a fault: exit status $?"; cat err; return; }
  after 0
  for name in $(sort -u calls); do
    [[ $name != rename && $name != sync ]] || most=1000
    for error in $(errors_of "$name"); do
      for call in $(grep -nx "$name" calls | cut -d: -f1 | awk -v most="$most" '
          { line[NR] = $1 }
          END { n = NR < most ? NR : most; for (i = 0; i < n; i++) print line[n == 1 ? 1 : 1 + int(i * (NR - 1) / (n - 1) + 0.5)] }'); do
        before
        TT_FAULT=$call:$error program
        status=$?
        {
          [[ " $(statuses_of "$name $error") " == *" $status "* ]] || { echo "exit status $status"; cat err; }
          case $status in
            0) cat err ;;
            1) [ "$(wc -l <err)" = 1 ] && grep -q '^tt-[a-z-]*: ' err || { echo "no single line of an error:"; cat err; } ;;
          esac
          after $status
          find . -name '*.partial-*' | sed 's/$/ is left/'
        } | sed "s/^/call $call, $name $error: /"
      done
    done
    most=$1
  done
  echo "failed: $(sort -u calls | tr '\n' ' ')"
}

# Checks that the output is the beginning of FILE, and all of it if STATUS is 0.
stream() { # STATUS FILE
  cmp -n "$(wc -c <out)" out "$2"
  [ "$1" != 0 ] || cmp out "$2"
}

# Checks that the output is the new file, or, unless STATUS is 0, the old one.
whole() { # STATUS FILE NEW OLD
  cmp -s "$2" "$3" || { [ "$1" != 0 ] && cmp "$2" "$4"; } || echo "$2 is neither"
}
# Checks that a folder is the new one, or, unless STATUS is 0, the old one, or not there if there was none. Several files cannot be renamed at
# once: where one of them fails, those before it are new.
whole_folder() { # STATUS FOLDER NEW [OLD]
  diff -rq "$2" "$3" >differs 2>&1 && return
  if [ "$1" = 0 ]; then cat differs
  elif [ "$name" != rename ]; then
    if [ -n "${4:-}" ]; then diff -rq "$2" "$4" 2>&1; else [ ! -e "$2" ] || echo "$2 is there"; fi
  fi
}
