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
msgfmt --version >/dev/null 2>&1 && { msgfmt -o a.mo a.po && msgunfmt a.mo | "$TT_ROOT/data/po-pairs" - | sort | cmp - <("$TT_ROOT/data/po-pairs" a.po | sort)
  }
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
"$TT_ROOT/data/po-pairs" c.po 2>&1; echo "exit status $?"
echo "Reasons to leave messages out, each with its first"
cat >e.po <<'PO'
msgid "<b></b>"
msgid_plural "<i></i>"
msgstr[0] "<b></b>"
msgstr[1] "<i></i>"

msgid "Not translated"
msgstr ""

msgid "See <embedvar/>"
msgstr "Siehe <embedvar/>"

msgid "<br/>"
msgstr "<br/>"
PO
"$TT_ROOT/data/po-pairs" a.po e.po c.po 2>&1 >/dev/null; echo "exit status $?"
"$TT_ROOT/data/po-pairs" - <e.po 2>&1; echo "exit status $?"
"$TT_ROOT/data/po-pairs" a.po none 2>&1; echo "exit status $?"
"$TT_ROOT/data/po-pairs" . 2>&1; echo "exit status $?"
[ ! -c /dev/full ] || ! "$TT_ROOT/data/po-pairs" a.po 2>err >/dev/full && tail -n 1 err
echo "Signs that are none, entities, tags without another half, alternatives in alternatives"
cat >d.po <<'PO'
msgid "Cut &amp; paste x &lt; y"
msgstr "Ausschneiden &amp; Einfügen x &lt; y"

msgid "E&xit"
msgstr "&Beenden"

msgid "Q&uality at AT&T"
msgstr "Qua&lität bei AT&T"

msgid "about ~100 KB of 1.0~rc1"
msgstr "etwa ~100 KB von 1.0~rc1"

msgid "define _GNU_SOURCE"
msgstr "_GNU_SOURCE definieren"

msgid "<a title=\"x > y\">Open</a> <img src=\"a.png\"> a<hr>b <B>Note</b>"
msgstr "<a title=\"x > y\">Öffnen</a> <img src=\"a.png\"> a<hr>b <B>Hinweis</b>"

msgid "A_pply"
msgstr "Anwenden"

msgid "_OK"
msgstr "_OK"

msgid "<switchinline><caseinline>A<switchinline><caseinline>B</caseinline><defaultinline>C</defaultinline></switchinline></caseinline><defaultinline>D</defaultinline></switchinline>+S"
msgstr "</caseinline><switchinline><caseinline>A</caseinline><defaultinline>D</defaultinline></switchinline>+S"
PO
printf '\357\273\277' | cat - d.po >name=d.po
"$TT_ROOT/data/po-pairs" d.po; "$TT_ROOT/data/po-pairs" name=d.po | cmp - <("$TT_ROOT/data/po-pairs" d.po)
printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n' | "$TT_ROOT/data/po-pairs" -; echo "exit status $?"
{ printf 'msgid "'; printf '<b>%.0s' {1..12000}; printf '"\nmsgstr "x"\n'; } | "$TT_ROOT/data/po-pairs" - 2>&1; echo "exit status $?"
