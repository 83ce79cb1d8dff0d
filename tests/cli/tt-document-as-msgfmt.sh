# Which placeholders a translation must have is what "msgfmt -c" asks. Each row of the list has what tt-document says of a translation, a
# format, a message and the translation, and where gettext says something else, the reason.
list=$TT_ROOT/tests/golden/placeholders.tsv
catalogue() {  # translations of the rows, or none
  printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
  awk -F '\t' -v translated="$1" '{ printf "\n#, %s\nmsgctxt \"%d\"\nmsgid \"Text %s\"\nmsgstr \"%s\"\n", $2, NR, $3, translated ? "Text " $4 : "" }' "$list"
}
# The verdicts on the rows, by the numbers of those that were refused.
verdicts() { awk 'NR == FNR { refused[$1]; next } { print (FNR in refused ? "refused" : "ok") }' - "$list"; }
catalogue "" >empty.po
cut -f 4 "$list" | sed 's/^/Text /' | tt-document merge --reviewed empty.po - 2>ours >/dev/null; echo "exit status $?"
sed -n 's/.*: translation \([0-9]*\) .*/\1/p' ours | verdicts >mine
cut -f 1 "$list" | diff - mine && echo "all rows are as the list says: $(grep -c . mine | named rows)"
msgfmt --version >/dev/null 2>&1 || { echo "no msgfmt of gettext" >&2; exit 77; }
catalogue yes >full.po
msgfmt -c -o /dev/null full.po 2>theirs
# The number of a row from that of its line.
sed -n 's/^full.po:\([0-9]*\): .*/\1/p' theirs | awk '$1 > 2 { print int(($1 + 1) / 5) }' | verdicts >gettext
paste "$list" gettext | awk -F '\t' '(NF == 5) != ($1 == $NF) { print "gettext says " $NF ": " $0 }'
