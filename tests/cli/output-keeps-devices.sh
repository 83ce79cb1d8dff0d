# Special files are written to and not replaced. The nodes are copies of those in /dev.
. "$TT_ROOT/tests/cli/safetensors.bash"
mkdir dev
mknod dev/full c 1 7 2>/dev/null && mknod dev/null c 1 3 && : >dev/null || { echo "device nodes cannot be made and written here" >&2; exit 77; }
model a.tt 1
tt-average -q -o dev/full a.tt; echo "exit status $?"
tt-average -q -o dev/null a.tt; echo "exit status $?"
ln -s full dev/link
tt-average -q -o dev/link a.tt; echo "exit status $?"
stat -c '%F %n' dev/*
