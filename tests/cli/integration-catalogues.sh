# The recipes of tt-integration(7) for catalogues and Java's properties: what was translated stays, the rest is the machine's.
. "$TT_ROOT/tests/cli/integration.bash"
needs msgmerge pretranslate prop2po po2prop pofilter
recipe catalogue; recipe properties
cat >old.po <<'END'
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\nLanguage: ja\nContent-Transfer-Encoding: 8bit\n"

msgid "The cat eats."
msgstr "猫"
END
cat >new.pot <<'END'
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n"

msgid "The cat eats."
msgstr ""

#, c-format
msgid "The dog sleeps in %s."
msgstr ""
END
printf '# greeting\nhello=The dog eats.\nbye=The cat sleeps {0}.\n' >en.properties
for program in msgmerge pretranslate; do
  rm -f merged.po de.po
  other=$([ $program = msgmerge ] && echo pretranslate || echo msgmerge)
  sed "/^$other /d" catalogue >script
  bash -e script >log 2>&1; echo "$program: exit status $?"
  msgattrib --no-fuzzy --translated de.po | grep -c '^msgstr "猫"'
  msgattrib --only-fuzzy de.po | grep -c '^msgid "The dog sleeps in %s."'
  [ ! -s checks.po ] || cat checks.po
done
bash -e properties >log 2>&1; echo "properties: exit status $?"
sed 's/=.*{0}.*/= ... {0}/; s/=\\u.*/= .../' de.properties
