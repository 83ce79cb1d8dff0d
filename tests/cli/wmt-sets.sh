# The plain text of WMT's test sets, from our own archives on a file:// server; the expected output is sacreBLEU 2.6.0's.
# Archives like WMT's, with their oddities: entities, white space of many kinds, a segment without its end, CR LF.
mkdir -p test sgm xml server
{
  printf '<srcset setid="newstest2014" srclang="any">\n<doc sysid="ref" docid="1" genre="news" origlang="en">\n<p>\n'
  printf '<seg id="1">Tom &amp; Anna said &quot;yes&quot;.</seg>\n<seg id="2"> two\t\tspaces \302\240and\343\200\200more </seg>\r\n'
  printf ' <seg id="9">not at the beginning of a line</seg>\n<seg id="3"></seg>\n<seg id="4">no end\n<seg id="5">a</seg> b\n</p>\n</doc>\n</srcset>\n'
} >test/newstest2014-deen-src.en.sgm
sed 's/Tom/Thomas/; s/two/zwei/' test/newstest2014-deen-src.en.sgm >test/newstest2014-deen-ref.de.sgm
sed 's/Tom/Ref/' test/newstest2014-deen-src.en.sgm >test/newstest2014-deen-ref.en.sgm
cp test/newstest2014-deen-ref.de.sgm test/newstest2014-deen-src.de.sgm
for year in 2010; do cp test/newstest2014-deen-src.en.sgm test/newstest$year-src.en.sgm; cp test/newstest2014-deen-ref.de.sgm test/newstest$year-src.cz.sgm
  done
cp test/newstest2014-deen-src.en.sgm sgm/newstest2020-ende-src.en.sgm
cp test/newstest2014-deen-ref.de.sgm sgm/newstest2020-ende-ref.de.sgm
sed 's/zwei/ZWEI/' sgm/newstest2020-ende-ref.de.sgm >sgm/newstestB2020-ende-ref.de.sgm
cat >test/newstest2021.en-de.xml <<'X'
<?xml version='1.0' encoding='utf-8'?>
<dataset id="newstest2021.en-de">
  <doc origlang="en" id="one">
    <src lang="en">
      <p>
        <seg id="2">Second &lt;b&gt; &amp;amp; &#228;&#x20AC;&#128512; &quot;q&quot; &apos;s&apos;.</seg>
        <seg id="10">Tenth
        over two lines</seg>
        <seg id="1">  First  </seg>
      </p>
      <p><seg id="3">Nobody translated this.</seg><seg id="4">Only B did.</seg></p>
    </src>
    <ref lang="de" translator="A">
      <p><seg id="1">Erstens</seg><seg id="2">Zweitens &amp; so</seg><seg id="3"></seg><seg id="4"/><seg id="10">Zehntens</seg></p>
    </ref>
    <ref translator='B' lang="de"><p><seg id="1">B1</seg><seg id="2">B2</seg><seg id="4">B4</seg></p></ref>
    <hyp system="x"><p><seg id="1">h</seg><seg id="2">h</seg><seg id="3">h</seg><seg id="4">h</seg><seg id="10">h</seg></p></hyp>
  </doc>
  <doc origlang="en" id="two" testsuite="odd"><src lang="en"><p><seg id="1">suite</seg></p></src><ref lang="de" translator="A"><p><seg id="1">suite</seg></p></ref></doc>
  <doc origlang="en" id="three"><src lang="en"><p><seg id="1">A last one</seg></p></src><ref lang="de" translator="A"><p><seg id="1">Ein letztes</seg></p></ref></doc>
</dataset>
X
sed -e "s/ translator=\"A\"//; s/<ref translator='B'.*//" test/newstest2021.en-de.xml >xml/wmttest2022.ru-sah.all.xml
mkdir wmt22-news-systems-1.1 && mv xml wmt22-news-systems-1.1/
tar -czf server/old.tgz ./test && tar -czf server/2020.tgz sgm && tar -czf server/2022.tar.gz wmt22-news-systems-1.1
get() {
  echo "$ make $*"
  make -s -C "$TT_ROOT" -f data/wmt-sets.mk OUT="$PWD/out" "${answer[@]}" "$@" 2>err
  local status=$?
  tr '\r' '\n' <err | grep -v -e '^make' -e '^curl' -e '--:--' -e ' % ' -e Dload -e '^ *0 *0 *0 *0 ' -e '^ *$' | sed "s|$PWD/||g; s|in \"make .*|in ...|"
  [ $status = 0 ] || echo "exit $status"
}
sum() { md5sum <"$1" | cut -d ' ' -f 1; }
answer=()
for set in wmt10 wmt14 wmt21; do answer+=("url_$set=file://$PWD/server/old.tgz" "md5_$set=$(sum server/old.tgz)"); done
answer+=("url_wmt20=file://$PWD/server/2020.tgz" "md5_wmt20=$(sum server/2020.tgz)")
answer+=("url_wmt22=file://$PWD/server/2022.tar.gz" "md5_wmt22=$(sum server/2022.tar.gz)")
answer+=("url_wmt11=file://$PWD/server/2020.tgz" "url_wmt12=file://$PWD/server/none.tgz")
get wmt14 PAIR=en-de | sed "s|$PWD/||g"
get wmt14 PAIR=de-en | sed "s|$PWD/||g"
get wmt10 PAIR=cs-en >/dev/null
get wmt20 PAIR=en-de >/dev/null
get wmt20 PAIR=en-de REF=B >/dev/null
get wmt21 PAIR=en-de >/dev/null
get wmt21 PAIR=en-de REF=B >/dev/null
get wmt22 PAIR=ru-sah >/dev/null
for file in out/wmt*; do echo "== $file"; cat "$file"; done
tt-bleu out/wmt20.en-de.ref out/wmt20.en-de.ref-B -i out/wmt20.en-de.src -l en-de
# Files that are not there or damaged, and options that are missing.
get wmt21 PAIR=en-de REF=C
get wmt20 PAIR=en-xx
get wmt11 PAIR=en-de
get wmt12 PAIR=en-de
get wmt14
ls out/archives
