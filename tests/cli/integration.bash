# For tests of the recipes of tt-integration(7): needs PROGRAM...; recipe FILE, as it stands in the page; a model in $TT_MODEL.
. "$TT_ROOT/tests/cli/train.bash"
needs() { local program; for program; do command -v "$program" >/dev/null || { echo "there is no $program" >&2; exit 77; }; done; }
recipe() {
  awk -v name="$1" '$0 == ".\\\" file " name { armed = 1; next } /^\.Ed/ { inside = 0 } inside; armed && /^\.Bd -literal/ { inside = 1; armed = 0 }' \
    "$TT_ROOT/man/tt-integration.7" | sed 's/\\&//g; s/\\e/\\/g' >"$1"
  [ -s "$1" ] || { echo "tt-integration(7) has no $1"; exit 1; }
}
example_model >/dev/null
export TT_MODEL=$PWD/model.tt
