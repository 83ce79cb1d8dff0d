# -h and --help, laid out by tools/help.cc from the tables of options: of all programs and commands in 80 columns, without limits
# that only keep numbers from overflowing, and with an example.
for source in "$TT_ROOT"/tools/tt-*.cc; do
  tool=$(basename "$source" .cc)
  for command in '' $($tool --completion table | cut -f 1 | sort -u); do
    for help in -h --help --help=all; do
      $tool $command $help >text || echo "$tool $command $help: exit status $?"
      LC_ALL=C.UTF-8 grep -E '.{81,}' text && echo "$tool $command $help: wider than 80 columns"
      grep -E '[0-9]{12,}|xcludes' text && echo "$tool $command $help: what nobody needs"
      head -n 1 text | grep -q "^Usage: $tool $command" || echo "$tool $command $help: does not begin with its usage"
    done
    # Every option is named by --help, and described by that of all.
    for option in $($tool --completion table | awk -F '\t' -v c="$command" '$1 == c { print $2 }'); do
      $tool $command --help | grep -qE -e "(^| )$option(\$|[] ,=[])" || echo "$tool $command --help: has no $option"
      grep -qE -e "^ +(-., )?$option(\$|[] ,=[])" text || echo "$tool $command --help=all: does not describe $option"
    done
    [ -n "$command" ] || grep -q '^Example:$' text || echo "$tool: has no example"
    [ "$($tool $command -h | wc -l)" -le 30 ] || echo "$tool $command -h: is long"
  done
done
tt-average -h
tt-average --help
tt-bpe --help
tt-bpe vocab --help
# A section by its name; another word changes nothing.
tt-train --help=model | sed -n '1,3p'; tt-train --help search | sed -n '1,2p'
tt-bpe --help=none | cmp - <(tt-bpe --help)
[ "$(tt-train --help | wc -l)" -le 125 ] || echo "tt-train --help: is long"
# A list of choices, and a default that the text of an option names by itself.
tt-translate --help | grep -A 2 -e --keep=
tt-train --help=all | grep -A 2 -e --average-power=
