# refused COMMAND...: prints the command, its exit status, and what it says without the name of the program. Of status 2 the second
# line refers to --help, perhaps of a command; of others there is none. It writes nothing to its standard output.
refused() {
  local status said
  "$@" </dev/null >refused.out 2>refused.err
  status=$?
  said=$(<refused.err)
  printf '$'; printf ' %q' "$@"; echo
  [ ! -s refused.out ] || { echo "it wrote:"; cat refused.out; }
  [ $status != 2 ] || said=${said%$'\n'"Try '$1 --help'."} said=${said%$'\n'"Try '$1 ${2-} --help'."}
  echo "$status ${said#"$1: "}"
  rm refused.out refused.err
}
