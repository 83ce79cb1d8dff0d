# The recipe of models of COMET: what is there is not downloaded, and scores stand beside those to compare with.
mkdir -p out bin
cp -r "$TT_ROOT/tests/golden/comet/regression" out/wmt22-comet-da
printf -- '---\nlicense: apache-2.0\n---\n' >out/wmt22-comet-da/README.md
comet() { make -s -C "$TT_ROOT" -f data/comet.mk BIN="$BUILD" OUT="$PWD/out" "$@" 2>&1; }
comet import | sed "s|$PWD/||g"
comet example
comet wmt22 | grep -o 'say of which languages.*PAIR=en-de'
comet wmt22 PAIR=en-de | grep -o 'say of which translations.*HYP=file'
# A curl that says what it is asked for.
printf '#!/bin/bash\nwhile [ "${1#http}" = "$1" ]; do shift; done; echo "$1" >&2; exit 22\n' >bin/curl && chmod +x bin/curl
for model in wmt22-cometkiwi-da cometoid22-wmt23; do
  PATH=$PWD/bin:$PATH comet import MODEL=$model -k | grep -xE 'https:[^ ]+[^ :]' | sort -u
done
