# Wrong options: a message on stderr, nothing on stdout, exit status 2.
. "$TT_ROOT/tests/cli/safetensors.bash"
model a.tt 1
for flags in "" "-o m.tt" "a.tt" "-o m.tt --last 0 ." "-o m.tt --last x ." "-o m.tt --last 1 --best 1 ." "--frob"; do
  tt-average $flags
  echo "exit status $?"
done
ls
