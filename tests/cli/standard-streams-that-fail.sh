# Failing to print is an error, even for --help; writing to a closed stream fails, and no other file takes its place.
. "$TT_ROOT/tests/cli/safetensors.bash"
model a.tt 1
programs="tt-attention-plot tt-average tt-bleu tt-bpe tt-log-plot tt-pe-plot tt-train tt-translate toy"
for program in $programs; do
  for option in --help --version "--completion bash"; do
    $program $option >/dev/full; echo "$program $option: exit status $?"
  done
done
tt-bpe encode --help >/dev/full; echo "exit status $?"
tt-train --print-config >&-; echo "exit status $?"
tt-bleu --help >&-; echo "exit status $?"
tt-average -o - a.tt >&-; echo "exit status $?"
echo text >text
tt-bleu text <&-; echo "exit status $?"
tt-average -o mean.tt a.tt 2>&- >&- <&-; echo "exit status $?"
tt-average -q -o same.tt a.tt && cmp mean.tt same.tt
