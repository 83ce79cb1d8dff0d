# The completion scripts: a shell accepts them, they know every long option of --help, and they complete.
for source in "$TT_ROOT"/tools/tt-*.cc; do
  tool=$(basename "$source" .cc)
  $tool --completion bash >$tool.bash && bash -n $tool.bash || echo "$tool: bash does not accept it"
  $tool --completion zsh >$tool.zsh || echo "$tool: no script for zsh"
  if command -v zsh >/dev/null; then zsh -n $tool.zsh || echo "$tool: zsh does not accept it"; fi
  { $tool --completion table | cut -f 2 | grep ^--; $tool --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  .*/\1/p'; } >$tool.options
  [ "$(wc -l <$tool.options)" -ge 3 ] || echo "$tool: there are no options"
  while read -r option; do
    grep -qE -e "[' ]$option[' ]" $tool.bash || echo "$tool: $option is not in the script for bash"
    grep -qE -e "(\(| )$option[ )\\]" $tool.zsh || echo "$tool: $option is not in the script for zsh"
  done <$tool.options
  ! $tool --help | grep -e --completion || echo "$tool: --help shows it"
done

# complete WORD...: what is offered for the last word
complete_words() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  "_${1//-/_}"
  echo "${*:2}: ${COMPREPLY[*]}"
}
for script in ./*.bash; do . "$script"; done
complete_words tt-train --preset ''
complete_words tt-train --preset b
complete_words tt-train --preset = t
complete_words tt-train --keep
complete_words tt-train --train ''
complete_words tt-train -q ''
complete_words tt-train --freeze encoder,
complete_words tt-train --type ''
complete_words tt-translate --keep m
complete_words tt-translate --keep tags,urls,e
complete_words tt-bleu --tokenize ja
complete_words tt-bleu --metric bleu,ch
complete_words tt-log-plot --show loss,
complete_words tt-attention-plot --kind ''
complete_words tt-tree linear --
complete_words tt-bpe ''
complete_words tt-bpe -q e
complete_words tt-bpe train --vo
complete_words tt-bpe train --type ''
complete_words tt-bpe encode --type ''
complete_words tt-bpe encode --qu
tt-bpe --completion fish
