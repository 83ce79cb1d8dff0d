# install_command TARGET VARIABLE=VALUE...: what "make TARGET" runs after building, without the building, for the build under test.
install_command() {
  local target=$1
  shift
  (cd "$TT_ROOT" && make -s -n BUILD="$BUILD" "$@" "$target" |
    sed -n '/^VERSION=\|^packaging\/uninstall/,$p' | bash)
}
listing() { (cd "$1" && find . | LC_ALL=C sort); }
