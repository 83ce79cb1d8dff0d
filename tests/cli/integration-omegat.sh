# The recipe of tt-integration(7) for OmegaT: all of a project's segments are in its memory, and in what it then writes.
. "$TT_ROOT/tests/cli/integration.bash"
needs omegat
recipe omegat
mkdir -p project/{source,target,tm,omegat,glossary,dictionary} home
printf 'The dog eats. The cat sleeps.\n\nThe dog sleeps.\n' >project/source/text.txt
cat >project/omegat.project <<'END'
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<omegat><project version="1.0">
<source_dir>__DEFAULT__</source_dir><target_dir>__DEFAULT__</target_dir><tm_dir>__DEFAULT__</tm_dir>
<glossary_dir>__DEFAULT__</glossary_dir><glossary_file>__DEFAULT__</glossary_file><dictionary_dir>__DEFAULT__</dictionary_dir>
<source_lang>EN</source_lang><target_lang>DE</target_lang><sentence_seg>true</sentence_seg>
<support_default_translations>true</support_default_translations><remove_tags>false</remove_tags>
</project></omegat>
END
export HOME=$PWD/home
cd project && (set -e; . ../omegat) >log 2>&1; echo "exit status $?"
grep -c '<tu>' tm/auto/tt.tmx; grep -c '<seg></seg>' tm/auto/tt.tmx
omegat --mode=console-translate "$PWD" >>log 2>&1
wc -l <target/text.txt; grep -ci 'the\|dog' target/text.txt || true
