# The corpus of translators: programs become parts, and what is in train is in no other. Without a network.
catalogue() { mkdir -p "$(dirname "$1")" && printf 'msgid "%s"\nmsgstr "%s"\n\n' "${@:2}" >"$1"; }
catalogue translations/source/de/sw/messages.po "Insert a ~table" "~Tabelle einfügen" "Cancel" "Abbrechen" "cancel" "abbrechen" "Page %s" "Seite %d" "Writer" \
  "Writer"
catalogue translations/source/de/helpcontent2/source/text/swriter/01.po "Opens the page." "Öffnet die Seite."
catalogue translations/source/de/sd/messages.po "Cancel" "Abbrechen" "A slide" "Eine Folie" "New query" "Neue Abfrage"
catalogue translations/source/de/helpcontent2/source/text/simpress/00.po "Shows the next slide." "Zeigt die nächste Folie."
catalogue translations/source/de/dbaccess/messages.po "New query" "Neue Abfrage"
catalogue translations/source/fr/sw/messages.po "Cancel" "Annuler"
tar cJf archive.tar.xz translations
l10n() { make -s -C "$TT_ROOT" -f data/l10n.mk BIN="$BUILD" OUT="$PWD/$1" ARCHIVE="$PWD/archive.tar.xz" "${@:2}"; }
l10n out "$PWD/out/corpus/test.tsv" 2>&1 | sed 's/^tt-clean: //'
for part in train dev test; do echo "$part:"; cat out/corpus/$part.tsv; done
gzip -dc "out/corpus/test.de.gz" 2>/dev/null; l10n out "$PWD/out/corpus/test.de.gz" && gzip -dc out/corpus/test.de.gz
echo "Pages, with what they repeat"
printf '#: a.xhp\nmsgid "Shows %s."\nmsgstr "Zeigt %s."\n\n' "a dog" "einen Hund" "a cat" "eine Katze" >>translations/source/de/helpcontent2/source/text/simpress/00.po
printf '#: b.xhp:%d\nmsgid "Shows %s."\nmsgstr "Zeigt %s."\n\n' 7 "a dog" "einen Hund" 9 "a house" "ein Haus" >>translations/source/de/helpcontent2/source/text/simpress/00.po
tar cJf pages.tar.xz translations
l10n pages ARCHIVE="$PWD/pages.tar.xz" DOCUMENTS=yes "$PWD"/pages/corpus/test.{en,de}.gz 2>/dev/null
paste <(gzip -dc pages/corpus/test.en.gz) <(gzip -dc pages/corpus/test.de.gz)
l10n none TARGET=xx "$PWD/none/corpus/raw" 2>&1 | grep -o 'has no catalogues of xx'
echo "The sources of a package"
mkdir bin
cat >bin/apt-get <<'APT'
#!/bin/bash
case $* in
  *indextargets*) echo 'deb-src http://mirror/debian stable main' ;;
  *update) [ "${*: -1}" = update ] && [[ ! ${OFFLINE-} || $* != *Error-Mode=any* ]] ;;
  *--print-uris*) printf "'http://mirror/pool/a_1.orig.tar.xz' a_1.orig.tar.xz 1000000 SHA256:1\n'http://mirror/pool/a_1.orig-translations%%2b.tar.xz' a_1.orig-translations+.tar.xz 2000000 SHA256:2\n" ;;
esac
APT
cat >bin/helper <<'HELPER'
#!/bin/bash
echo "$1 $2 $4" >"$3"
HELPER
chmod +x bin/*
source() { PATH=$PWD/bin:$PATH APT_HELPER=$PWD/bin/helper "$TT_ROOT/data/debian-source" "$@" 2>&1; echo "exit status $?"; }
source a '*.orig-translations*.tar.xz' file && cat file
source a '*.zip' file
OFFLINE=yes PATH=$PWD/bin:$PATH make --no-print-directory -C "$TT_ROOT" -f data/l10n.mk BIN="$BUILD" OUT="$PWD/off" ARCHIVE="$PWD/off.tar.xz" \
  "$PWD/off.tar.xz" 2>&1 | sed "s|$PWD/||; /^make/d"
echo "All of it"
toy -q --train 300 --dev 30 --test 30 corpus
for part in train/sw dev/dbaccess test/sd; do
  mkdir -p "translations/source/ja/${part#*/}"
  paste corpus/${part%/*}.en corpus/${part%/*}.ja | awk -F '\t' '{ printf "msgid \"%s\"\nmsgstr \"%s\"\n\n", $1, $2 }' >"translations/source/ja/${part#*/}/a.po"
done
tar cJf archive.tar.xz translations
l10n ja TARGET=ja SUBWORD="--vocab-size 500" AVERAGE="--last 1" SEARCH="--beam 1" THREADS=1 \
  TRAINING="--preset tiny --encoder-layers 1 --decoder-layers 1 --d-model 16 --d-ff 16 --heads 2 --tokens 400 --max-updates 2 --tokenize char" \
  l10n 2>log | sed 's/\t[0-9.]*\t[0-9.]*$/\t-\t-/; s/ = .*//'
gzip -dc ja/corpus/test.en.gz | awk '{ ++n[NF < 5 ? "short" : "long"] } END { print NR, n["short"] + 0, n["long"] + 0 }'
