# -o follows links, writes into pipes, and keeps mode and owner of what it replaces. The link to stdout is a copy of /dev/stdout, which
# a program that fails here would destroy.
. "$TT_ROOT/tests/cli/safetensors.bash"
model a.tt 1
tt-average -q -o mean.tt a.tt
ln -s /proc/self/fd/1 stdout
same() { cmp "$1" mean.tt && echo "$2: the same"; }
tt-average -q -o stdout a.tt >stdout.tt; same stdout.tt "stdout, a file"
{ printf before; tt-average -q -o stdout a.tt; } >both.tt
cmp both.tt <(printf before; cat mean.tt) && echo "stdout, behind what was there: the same"
tt-average -q -o stdout a.tt | cat >stdout.tt; same stdout.tt "stdout, a pipe"
tt-average -q -o /proc/self/fd/7 a.tt 7>seven.tt; same seven.tt "a descriptor"
mkfifo pipe
timeout 60 cat pipe >piped.tt & tt-average -q -o pipe a.tt; wait; same piped.tt "a named pipe"
{ tt-average -q -o >(cat >substituted.tt; echo read >&9) a.tt; } 9>&1 | cat; same substituted.tt "a process"
tt-average -o - a.tt 2>/dev/null >stdout.tt; same stdout.tt "-"
tt-average -q -o /proc/self/fd/8 a.tt; echo "a closed descriptor: exit status $?"

mkdir elsewhere
echo old >elsewhere/target
ln -s elsewhere/target link
ln -s link chain
tt-average -q -o chain a.tt; same elsewhere/target "through two links"
ln -s elsewhere/new dangling
tt-average -q -o dangling a.tt; same elsewhere/new "through a link to nothing"
ln -s loop loop
tt-average -q -o loop a.tt; echo "a loop: exit status $?"
tt-average -q -o elsewhere a.tt; echo "a folder: exit status $?"
tt-average -q -o '' a.tt; echo "no name: exit status $?"
long=$(printf 'x%.0s' {1..255})
tt-average -q -o "$long" a.tt; same "$long" "the longest name"
rm "$long"

(umask 027; tt-average -q -o fresh a.tt)
: >mine; chmod 604 mine
tt-average -q -o mine a.tt
stat -c '%a %n' fresh mine
if [ "$(id -u)" = 0 ]; then
  chown 12:34 mine
  chmod 4751 mine
  tt-average -q -o mine a.tt
  stat -c '%u:%g %a' mine
else
  echo "12:34 4751"
fi
# A file of one's own that may not be written; as another than root, who may write all.
other=(); [ "$(id -u)" != 0 ] || other=(setpriv --reuid=54321 --regid=54321 --clear-groups)
chmod 755 . && chmod 644 a.tt && mkdir -m 777 theirs
if "${other[@]}" tt-average --version >out 2>&1 && "${other[@]}" sh -c ': >theirs/kept; chmod 444 theirs/kept' 2>>out; then
  "${other[@]}" tt-average -q -o theirs/kept a.tt 2>err; echo "exit status $?, $(wc -c <theirs/kept) bytes"; cat err
else
  printf 'exit status 1, 0 bytes\ntt-average: theirs/kept: cannot be written: Permission denied\n'
fi
# Another user's file in a sticky folder can be written, but not replaced.
if [ "$(id -u)" = 0 ]; then
  mkdir -m 1777 sticky; echo old >sticky/kept; chmod 666 sticky/kept
  "${other[@]}" tt-average -q -o sticky/kept a.tt 2>err; echo "sticky: exit status $?, $(cat sticky/kept)"; cat err
  rm -r sticky
else
  printf 'sticky: exit status 1, old\ntt-average: sticky/kept: cannot be replaced: Operation not permitted; write to another file, or to another folder\n'
fi
find . -type p -o -type l -o -name '*partial*' | sort
