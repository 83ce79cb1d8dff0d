# The messages of a catalogue and their translations as lines.
cat >a.po <<'PO'
# A comment
msgid ""
msgstr ""
"Project-Id-Version: a\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

#: sw/inc/strings.hrc:1
msgctxt "a"
msgid "Open ~file..."
msgstr "Datei ö~ffnen..."

msgid ""
"A long message "
"in \"two\" parts.\n"
"And a second line,\twith C:\\new."
msgstr ""
"Eine lange Meldung in »zwei« Teilen.\n"
"Und eine zweite Zeile, mit C:\\new."

#, fuzzy, c-format
msgid "%d fuzzy"
msgstr "%d unscharf"

#, c-format
msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d Datei"
msgstr[1] "%d Dateien"
msgid "Untranslated"
msgstr ""
#~ msgid "Obsolete"
#~ msgstr "Veraltet"
msgid "Save _as, a_b, R & D"
msgstr "Speichern _unter, a_b, R & D"
msgid "&amp; ~/.bashrc, src/~x"
msgstr "&amp; ~/.bashrc, src/~x"
PO
printf 'msgid "Edit (~E)"\r\nmsgstr "編集(~E)"\r\n\r\nmsgid "%%d file"\r\nmsgid_plural "%%d files"\r\nmsgstr[0] "%%d個"\r\n' >b.po
"$TT_ROOT/data/po-pairs" a.po b.po
"$TT_ROOT/data/po-pairs" - <b.po | head -n 1
msgfmt --version >/dev/null 2>&1 && { msgfmt -o a.mo a.po && msgunfmt a.mo | "$TT_ROOT/data/po-pairs" - | sort | cmp - <("$TT_ROOT/data/po-pairs" a.po | sort); }
echo '<xliff>' | "$TT_ROOT/data/po-pairs" -; echo "exit status $?"
echo "Tags, and keys inside of words"
cat >c.po <<'PO'
msgid "A_pply a_b to the Pa_ge"
msgstr "A_b auf die Seite _anwenden"

msgid "A_pply to All"
msgstr "Auf alle _anwenden"

msgid "a_name of all"
msgstr "a_name von allen"

msgid "Open <emph>File</emph>, <b>x < y</b>, <name> stays<br>here <link href=\"text/a_b.xhp\" name=\"F_i\">F</link>"
msgstr "Öffne <emph>Datei</emph>, <b>x < y</b>, <name> bleibt<br/>hier <link href=\"text/a_b.xhp\" name=\"F_i\">F</link>"

msgid "<switchinline select=\"sys\"><caseinline select=\"MAC\">Command</caseinline><defaultinline>Ctrl</defaultinline></switchinline>+S"
msgstr "<switchinline select=\"sys\"><caseinline select=\"MAC\">Befehl</caseinline><defaultinline>Strg</defaultinline></switchinline>+S"

msgid "See <embedvar href=\"x\"/>"
msgstr "Siehe <embedvar href=\"x\"/>"

msgid "<bookmark_value>A; b</bookmark_value><bookmark_value>C</bookmark_value>"
msgstr "<bookmark_value>A; b</bookmark_value><bookmark_value>D</bookmark_value>"

msgid "</b> alone <b> <i>"
msgstr "</b> allein <b> <i>"
PO
"$TT_ROOT/data/po-pairs" c.po
