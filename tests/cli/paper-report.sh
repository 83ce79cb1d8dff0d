# The report of the paper's recipes: what is there, beside the paper's numbers; what is missing is named, and nothing is trained for it.
set -e
. "$TT_ROOT/tests/cli/paper.bash"
made() { run "$work/out/report.html"; grep ^report log | sed -E 's/^/said: /; s/; make .* (.*) makes it/; make ... \1 makes it/' || true; }
(run "$work/out/report.html" 2>&1) | sed -nE "s|^$work/||p" | sed 's/; make .* table1/; make ... table1/'
run table1 table3 >/dev/null
find out -type f ! -name 'report*' ! -name '*.flags' | sort | xargs stat -c '%n %y' >before
made
find out -type f ! -name 'report*' ! -name 'curves*' ! -name '*.flags' | sort | xargs stat -c '%n %y' | cmp - before && echo 'nothing was made for it'
page() { sed -E 's/<img[^>]*>/[picture]/; s/data:[^"]*//' out/report.html; }
echo '-- sections, and what is not there'
page | grep -E '<h2>|Not made yet' | sed -E 's/make -f .* ([a-z0-9]+)<.code>/make ... \1/' | sed -E 's/^<p class="summary">[^.]*\. ?//'
echo '-- rows of table 3 with the numbers of the paper'
page | awk '/id="table3"/,/<\/section>/' | grep -E '^<tr><th>' | sed -E 's/(<td class="number">[^<]*( <small>[^<]*<\/small>)?<\/td>){6}<\/tr>$/.../' |
  sed -E '2,$s/(<td class="number">[^<]*)(<small>|<\/td>)/\1\2/g'
echo '-- a verdict'
page | awk '/id="table3"/,/<\/section>/' | grep 'one head' | sed -E 's/<td class="[a-z-]*">.*<\/td>(<td>25)/[verdict]\1/; s/<td>base .*/[ours]/'
echo '-- commands, machine, commit'
page | grep -c '^<pre>make -f data/paper.mk table[13] '
page | awk '/id="table3"/,/<\/section>/' | sed -nE 's/^<li>[0-9]{4}-[0-9]{2}-[0-9]{2}, commit [0-9a-z+-]+, .*, threads: 1, cpu: /origin of /p'
page | grep '<dt>learned' | sed 's/--embeddings.*//'
echo '-- figure 1 as it was trained'
page | awk '/id="figure1"/,/<\/section>/' | grep -E 'heads of|pieces|encoder ' | sed 's/<[^>]*>//g'
echo '-- safe and whole'
grep -cE 'https?://|<script' out/report.html || true
grep -o "default-src 'none'" out/report.html
if command -v chromium >/dev/null; then run report | sed "s|$work/||"; head -c 5 out/report.pdf; echo; else printf '%s\n' out/report.html out/report.pdf %PDF-
  fi
(run report BROWSER=no-browser 2>&1) | sed -nE 's/^[^:]*report.mk:[0-9]+: \*\*\* ([^.]*)\..*/\1/p'
