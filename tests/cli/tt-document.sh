# Documents as lines, and back: in files and pipes, and what is refused or reported.
cat >page.html <<'END'
<h1>The   mill</h1>
<p>A <b>dog</b> &amp; a cat.<br>C:\bin</p>
END
echo "extract"
tt-document extract page.html | tee lines
tt-document extract - --format html <page.html | cmp - lines
tt-document extract page.html | cat | tt-document merge page.html | cmp - page.html && echo "the same"
cat >german <<'END'
Die Mühle
Ein <b>Hund</b> &amp; eine Katze.
C:\\Programme
END
echo "merge"
tt-document merge page.html german
tt-document merge page.html <german | cmp - <(tt-document merge - german --format html <page.html)
tt-document merge -o new.html page.html german && cmp new.html <(tt-document merge page.html german) && echo "to a file"
sed 's/$/\r/' german | tt-document merge page.html | cmp - <(tt-document merge page.html german) && echo "lines that end with CR LF"
# Another number of lines
for lines in "head -n 2 german" "cat german german" true; do
  echo precious >new.html
  $lines | tt-document merge -o new.html page.html
  echo "exit status $?, $(cat new.html)"
  $lines | tt-document merge page.html | wc -c
done
echo "a translation that cannot be taken"
sed 's/<b>//' german | tt-document merge -q page.html
echo "exit status $?"
echo "what is wrong in a document"
printf '<p>a <i>b</p>\n<pre>c' >open.html
tt-document extract open.html
echo "exit status $?"
printf 'msgid "a\nmsgstr ""\n' >broken.po
printf 'msgid "a\nmsgstr ""\n\nmsgid "b"\nmsgstr ""\n' >half.po
echo c | tt-document merge half.po
echo "exit status $?"
printf '<xliff version="1.2"><file target-language="de"><body>\n<trans-unit><source>a</source></trans-unit>' >cut.xlf
echo b | tt-document merge cut.xlf 2>err
echo " exit status $?: $(cut -d : -f 1-4 err)"  # the rest is libxml2's
printf '<tmx><header srclang="en"/><body><tu><tuv xml:lang="fr"><seg>a</seg></tuv></tu></body></tmx>' >french.tmx
printf 'name,text\n1,a\n' >table.csv
printf 'a\0b' >binary.html
gzip -c page.html >page.gz
: >empty.md
. "$TT_ROOT/tests/cli/refused.bash"
printf '1\n00:00:01,000 --> 00:00:02,000\nA \0 dog\n\n2\n00:00:03,000 --> 00:00:04,000\nA cat\n' >nul.srt
echo Katze | tt-document merge nul.srt | tail -n 1; echo "exit status ${PIPESTATUS[1]}"
echo "translations that are their texts"
printf 'msgid "Debian"\nmsgstr ""\n\nmsgid "_OK"\nmsgstr ""\n\nmsgid "a"\nmsgstr ""\n' >names.po
printf '%s\n' Debian OK b >names
tt-document merge --accelerator _ names.po names | grep msgstr; echo "exit status ${PIPESTATUS[0]}"
tt-document merge --format po --accelerator _ - names <names.po >/dev/null; echo "exit status $?"
tt-document merge --accelerator _ --reviewed names.po names | grep msgstr; echo "exit status ${PIPESTATUS[0]}"
tt-document extract page.html | tt-document merge page.html >/dev/null; echo "exit status $?"
echo "a template"
printf 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=CHARSET\\n"\n"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n"\n\n' >new.pot
printf 'msgid "%%d a"\nmsgid_plural "%%d as"\nmsgstr[0] ""\nmsgstr[1] ""\n' >>new.pot
tt-document extract new.pot; echo "exit status $?"
echo "what is refused"
printf 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=Shift_JIS\\n"\n' >sjis.po
refused tt-document extract sjis.po
printf '<?xml version="1.0" encoding="nosuch"?><xliff version="1.2"/>' >nosuch.xlf
refused tt-document extract nosuch.xlf
printf '<meta charset="utf-7">' >seven.html
refused tt-document extract seven.html
refused tt-document extract half.po --accelerator %
for encoding in UTF-16 UTF-16LE UTF-16BE UTF-32; do iconv -f UTF-8 -t $encoding page.html >wide.html; refused tt-document extract wide.html; done
refused tt-document extract french.tmx
refused tt-document extract french.tmx --to de
refused tt-document extract french.tmx --to 'd"e'
refused tt-document extract table.csv
refused tt-document extract table.csv --columns note
refused tt-document extract table.csv --columns 7
refused tt-document extract table.csv --columns text --delimiter ,,
printf '1,"b\n' >open.csv
refused tt-document extract open.csv --columns 2
refused tt-document extract broken.po
refused tt-document extract half.po --accelerator xx
refused tt-document extract binary.html
refused tt-document extract --format html page.gz
refused tt-document extract page.gz
refused tt-document extract empty.md
refused tt-document extract nosuch.md
refused tt-document extract --format vtt page.html
refused tt-document extract --format srt page.html
refused tt-document extract --format po page.html
refused tt-document extract --format doc page.html
refused tt-document merge - --format html
refused tt-document merge page.html -o page.html
refused tt-document merge page.html german -o german
refused tt-document merge page.html nosuch
refused tt-document merge page.html german -o nosuch/page.html
refused tt-document
echo "A plural one form of which is refused stays untranslated; a complete catalogue with a remark is one"
{ printf 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n"X-Accelerator-Marker: %s\\n"\n\n' _
  printf '#, c-format\nmsgid "one file %%d"\nmsgid_plural "%%d files"\nmsgstr[0] ""\nmsgstr[1] ""\n'; } >forms.po
printf 'eine Datei\n%%d Dateien\n' | tt-document merge --reviewed forms.po 2>&1 | grep -E 'lacks|msgstr.[01]'; echo "exit status ${PIPESTATUS[1]}"
printf 'eine Datei %%d\n%%d Dateien\n' | tt-document merge --reviewed forms.po | sed 's/Marker: _/Marker: %/' >whole.po; tt-document extract whole.po
echo "exit status $?"
echo "A document is not read and written at once; what is guessed and cannot be taken shows in the status"
cp page.html same.html; tt-document extract same.html 2>&1 >>same.html; echo "exit status $?"; cmp page.html same.html
printf '<p>Gr\xc3\xb6\xc3\x9fe</p>\n<p>cut off: \xe2\x80</p>\n' >guess.html
tt-document extract -q guess.html 2>&1; echo "exit status $?"
printf 'id,name\r1,dog\r' >mac.csv
refused tt-document extract mac.csv --columns name
echo "what has no texts to translate is done, with a report, unless a part of it cannot be read"
status() { tt-document extract "$@" >/dev/null 2>&1; echo "$? $*"; }
printf 'id,name,note\n1,12\n2,13\n' >numbers.csv
status numbers.csv --columns name
printf '<p>12</i></p>' >numbers.html
status numbers.html
printf 'id,name\n1,\xff\n' >latin.csv
status latin.csv --columns name
printf 'id,name\n1,"b\n' >unclosed.csv
status unclosed.csv --columns name
printf '<xliff version="1.2"><file><body><trans-unit><source>a</source><target>b</target>' >nothing.xlf
status nothing.xlf
printf '```\na\n' >fence.md
status fence.md
printf 'Hund \1\n' | tt-document merge --to de french.tmx --from fr >/dev/null; echo "exit status $?"
echo "translations of which less is expected, or nothing"
json() { printf '{"translation":"%s"%s}\n' Hund ',"expected":61' Katze ',"expected":59.9' Maus ',"error":"x"'; }
{ printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'; printf '\n#, fuzzy\nmsgid "%s"\nmsgstr ""\n' dog cat mouse; } >judged.po
units() { printf "<$2><source>%s</source></$3>\n" dog cat mouse | sed "1s|^|<xliff version=\"$1\" trgLang=\"de\"><file target-language=\"de\">$4|;\$s|\$|${4:+</unit>}</file></xliff>|"; }
units 1.2 trans-unit trans-unit >judged.xlf
units 2.0 segment segment '<unit id="1">' >judged2.xlf
printf '<p>dog</p><p>cat</p><p>mouse</p>' >judged.html
for document in judged.po judged.xlf judged2.xlf judged.html; do
  json | tt-document merge --least 60 $document; echo "exit status $?"
  json | tt-document merge --least 60 --reviewed $document | grep -cE 'fuzzy|needs-review|initial' | named "to review in a reviewed $document"
done
printf '%s\n' Hund '{"translation":1,"expected":80}' '[]' | tt-document merge --least 60 judged.html; echo "exit status $?"
