// Documents in HTML.
#include "tests/checked_document.h"

namespace tt::document {

TEST_CASE("HTML: blocks part texts, and inline tags stay in them") {
  CHECK(lines("html", "<p>One\n <em>two</em></p>Three<br>four") ==
        Lines{"One <em>two</em>", "Three", "four"});
  CHECK(lines("html", "<TABLE><TR><TD>a<TD>b</TABLE><UL><LI>c<LI>d</UL>") ==
        Lines{"a", "b", "c", "d"});
  CHECK(lines("html", "<my-element>a</my-element>b") == Lines{"a", "b"});
  CHECK(
      lines("html", "<p>a <foo>b</foo> <ruby>c<rtc>d</rtc></ruby> e</p><label>f <input></label>") ==
      Lines{"a <foo>b</foo> <ruby>c<rtc>d</rtc></ruby> e", "f"});
  CHECK(lines("html", "<title>A &amp; B</title>") == Lines{"A &amp; B"});
}

TEST_CASE("HTML: what encloses the whole text is not in its line") {
  CHECK(lines("html", "<p><b><i>x</i></b></p>") == Lines{"x"});
  CHECK(lines("html", "<p> <a name=\"y\"></a> <img src=z> x <!-- c --></p>") == Lines{"x"});
  CHECK(lines("html", "<p><b>x</b> <b>y</b></p>") == Lines{"<b>x</b> <b>y</b>"});
  CHECK(with("html", "<p><b> x </b></p>", {"y"}) == "<p><b> y </b></p>");
}

TEST_CASE("HTML: what is no text stays") {
  for (const char* page :
       {"<script>var a = '<p>b</p>';</script>", "<style>p { a: b }</style>", "<pre>a\n b</pre>",
        "<p translate=\"no\">a</p>", "<!-- a -->", "<!DOCTYPE html>", "<textarea>a</textarea>",
        "<svg><text>a</text></svg>", "<p>12 + 3</p>", "<p><code>a</code></p>", "<?php a ?>",
        "<p title='a'></p>", "<![if a]>", "<math><mi>x</mi></math>", "<?= '<p>a</p>' ?>",
        "<?xml:namespace a=b />"})
    CHECK(lines("html", page) == Lines{});
  CHECK(lines("html", "<p>a <span translate=no>b</span> <!-- c --> d <code>e</code></p>") ==
        Lines{"a <ph id=\"1\"/> <ph id=\"2\"/> d <code>e</code>"});
}

TEST_CASE("HTML: what is not translated stays, inline or around a text or blocks") {
  for (const char* page :
       {"<h1><span class=\"notranslate\">Blue Dog</span></h1>",
        "<div class=\"a notranslate\"><p>b</p><p>c</p></div>", "<p translate=No>a</p>",
        "<%= a > b %>", "<p><% if c %></p>", "</ a >", "<param name=a>"})
    CHECK(lines("html", page) == Lines{});
  CHECK(lines("html", "<p>Hello <%= name > 1 %>, <b class='notranslate'>Blue</b> dog</p>") ==
        Lines{"Hello <ph id=\"1\"/>, <ph id=\"2\"/> dog"});
  const std::string link = "<p>See <a href=\"<%= url(\"x\") %>\">dogs</a></p>";
  CHECK(with("html", link, lines("html", link)) == link);
}

TEST_CASE("HTML: of what stays a part may be translated") {
  const std::string no = "<div translate=no><p>a</p>", yes = "<p translate=\"yes\">b <i>c</i></p>";
  CHECK(lines("html", no + yes + "<p>d</p></div><p>e</p>") == Lines{"b <i>c</i>", "e"});
  CHECK(with("html", no + yes + "</div>", {"<i>d</i>"}) ==
        no + "<p translate=\"yes\"><i>d</i></p></div>");
  CHECK(lines("html", "<p>a <span translate=no>b <b translate>c</b> d</span> e</p>") ==
        Lines{"a", "c", "e"});
  CHECK(lines("html",
              "<p class=notranslate>b <b translate=yes>c <i translate=no>d <u translate=yes>"
              "e</u></i></b></p>") == Lines{"c", "e"});
  CHECK(
      lines("html", "<p>a <b translate=no>b <b class=notranslate translate=yes>c</b></b> d</p>") ==
      Lines{"a <ph id=\"1\"/> d"});
  CHECK(lines("html", "<p>a <b translate=no>b <i>c</b> d</p><p>e</p>") ==
        Lines{"a <ph id=\"1\"/> d", "e"});
  const Extracted open = extracted("html", "<p>a</p>\n<div translate=no><p translate=yes>b</p>c");
  CHECK(open.lines == Lines{"a", "b"});
  CHECK(open.problems == Lines{"doc:2: nothing closes <div>; the text behind it stays as it is"});
}

TEST_CASE("HTML: attributes are texts before the one that their tag is in") {
  const Settings attributes{.attributes = true};
  const std::string page =
      "<meta name=description content='Cats &amp; \"dogs\"'><meta name=viewport content=width>\n"
      "<ul title=\"All of them\"><li>See <IMG src=a.png ALT=\"a\n dog\">\n <b title=x>here</b></ul>"
      "<i title=\"Alone\">1</i><p title=\"<?= dog ?>\" translate=no alt=no>no</p><p><img alt=' '>"
      "<textarea placeholder=\"Your name\">no</textarea><input type=text value=no>"
      "<input type=submit value=Send>";
  const Lines source{"Cats &amp; \"dogs\"",
                     "All of them",
                     "a dog",
                     "x",
                     "See <IMG src=a.png ALT=\"a dog\"> <b title=x>here</b>",
                     "Alone",
                     "Your name",
                     "Send"};
  CHECK(lines("html", page, attributes) == source);
  CHECK(with("html", page,
             {"\"Katzen\" &amp; <3", "Alle", "ein Hund", "y",
              "<b title=x>Hier</b> <IMG src=a.png ALT=\"a dog\">", "Allein", "Dein Name", "Los"},
             attributes) ==
        "<meta name=description content=\"&quot;Katzen&quot; &amp; &lt;3\">"
        "<meta name=viewport content=width>\n<ul title=\"Alle\"><li><b title=\"y\">Hier</b> "
        "<IMG src=a.png ALT=\"ein Hund\"></ul><i title=\"Allein\">1</i>"
        "<p title=\"<?= dog ?>\" translate=no alt=no>no</p><p><img alt=' '>"
        "<textarea placeholder=\"Dein Name\">no</textarea><input type=text value=no>"
        "<input type=submit value=\"Los\">");
  // A text stays where its attribute does not, and the other way round.
  CHECK(with("html", "<p>A\n<img alt=a> dog", {"b", "A <img alt=a> dog"}, attributes) ==
        "<p>A\n<img alt=\"b\"> dog");
  const Merged one =
      merged("html", "<p>A <img alt=a> dog", {"<b>", "<img alt=a> Hund"}, attributes);
  CHECK(one.text == "<p><img alt=a> Hund");
  CHECK(one.problems.size() == 1);
  CHECK(lines("html", page).size() == 1);
  // Elements that stay are not read, and tags that end up around a text are.
  CHECK(with("html", "<p>a <b translate=no title=x>b</b> <i title=c>d</i> e</p>",
             {"C", "<i title=c>D</i> <ph id=\"1\"/>"},
             attributes) == "<p><i title=\"C\">D</i> <b translate=no title=x>b</b></p>");
}

TEST_CASE("HTML: tags of the document's language get that of the translations") {
  const std::string page =
      "<HTML LANG=en-US><body dir=ltr><p>a <i lang=en>b</i> <i lang=fr>c</i><p lang=en>d</html>";
  const Lines german{"A <i lang=en>b</i> <i lang=fr>c</i>", "D"};
  CHECK(with("html", page, german, {.to = "de_AT"}) ==
        "<HTML lang=\"de-AT\"><body dir=\"ltr\"><p>A <i lang=\"de-AT\">b</i> <i lang=fr>c</i>"
        "<p lang=\"de-AT\">D</html>");
  CHECK(with("html", page, german, {.to = "ar"}) ==
        "<HTML lang=\"ar\" dir=\"rtl\"><body dir=\"rtl\"><p>A <i lang=\"ar\" dir=\"rtl\">b</i> "
        "<i lang=fr>c</i><p lang=\"ar\" dir=\"rtl\">D</html>");
  CHECK(lines("html", page, {.to = "ar"}).size() == 2);  // and with them the page as it was
  for (const auto& [to, is] : {std::pair{"de", " lang=\"de\""},
                               {"az-Arab", " lang=\"az-Arab\" dir=\"rtl\""},
                               {"ar-Latn-EG", " lang=\"ar-Latn-EG\""},
                               {"ur-PK", " lang=\"ur-PK\" dir=\"rtl\""}})
    CHECK(with("html", "<html><p>a</html>", {"b"}, {.to = to}) ==
          "<html" + std::string(is) + "><p>b</html>");
  CHECK(merged("html", "<p>a", {"b"}, {.to = "de"}).problems ==
        Lines{"doc:1: no tag says a language, as <html lang> does; de is said nowhere"});
}

TEST_CASE("HTML: tags without a partner part texts, and are reported") {
  const Extracted open = extracted("html", "<p>a <b>b\n<p>c");
  CHECK(open.lines == Lines{"a", "b", "c"});
  CHECK(open.problems == Lines{"doc:1: nothing closes <b>"});
  const Extracted closed = extracted("html", "<p>a\n</i> b</p></u>");
  CHECK(closed.lines == Lines{"a", "b"});
  CHECK(closed.problems == Lines{"doc:2: nothing opens </i>, and so for 1 tags more"});
  // A pair around one without a partner parts texts as well.
  CHECK(extracted("html", "<b>a <i>b</b> <u>c</u> d").lines == Lines{"a", "b", "<u>c</u> d"});
  CHECK(extracted("html", "<p>a <b").problems.size() == 1);
  // Many of them take time in proportion to their number: these would take minutes otherwise.
  std::string many = "<b " + std::string(4000, 'x') + ">";
  for (int i = 0; i < 100000; ++i) many += "<b>a</i>";
  CHECK(extracted("html", many).problems ==
        Lines{"doc:1: nothing closes " + many.substr(0, 80) + "..., and so for 200000 tags more"});
  for (const char* open : {"a <!-- b", "a <pre> b"})
    CHECK(extracted("html", open).problems.size() == 1);
}

TEST_CASE("HTML: entities are characters in lines") {
  CHECK(lines("html", "<p>&eacute;&#233;&#xe9; &lt;b&gt; &amp;amp; &quot;</p>") ==
        Lines{"ééé &lt;b> &amp;amp; \""});
  CHECK(lines("html", "<p>It&#146;s &#x80; &#1;</p>") == Lines{"It’s € \x01"});
  CHECK(lines("html", "<p>a &unknown; b &ltimes; &notit;</p>") ==
        Lines{"a <ph id=\"1\"/> b ⋉ ¬it;"});
  // Without a semicolon those of Latin-1 are known, and numbers.
  CHECK(lines("html", "<p>A dog &copy 2024, R&D, caf&eacute, caf&#233, &#xe9x &amp b</p>") ==
        Lines{"A dog © 2024, R&amp;D, café, café, éx &amp; b"});
  CHECK(lines("html", "<p>&copyright &lt3 &AMP &apos &alpha &# &#x &a a?b&c=d &") ==
        Lines{"©right &lt;3 &amp; &amp;apos &amp;alpha &amp;# &amp;#x &amp;a a?b&amp;c=d &amp;"});
  CHECK(with("html", "<p>x</p>", {"&copy 2024"}) == "<p>&amp;copy 2024</p>");
  CHECK(lines("markdown", "a &copy &copyx; &copy;\n") == Lines{"a &amp;copy <ph id=\"1\"/> ©"});
  CHECK(with("html", "<p>x</p>", {"a < b > c & d &lt;i> &eacute; \u00a0"}) ==
        "<p>a &lt; b &gt; c &amp; d &lt;i&gt; é &#160;</p>");
}

TEST_CASE("HTML: an encoding that is declared is read and written") {
  const std::string head = "<meta charset=iso-8859-1>";
  CHECK(lines("html", head + "<p>caf\xe9 \x80</p>") == Lines{"café €"});
  CHECK(with("html", head + "<p>caf\xe9 <b>\xe9</b></p>", {"é <b>ж</b>"}) ==
        head + "<p>&#233; <b>&#1078;</b></p>");
  CHECK(extracted("html", "<meta charset=utf-8><p>caf\xe9</p>\n<p>b</p>").lines == Lines{"b"});
  // Only tags that declare one, in any case; a byte order mark counts most.
  const std::string utf8 = "<meta charset=\"utf-8\"><p>caf\u00e9</p>";
  for (const char* other :
       {"<script charset=\"ISO-8859-1\" src=x></script>", "<!-- charset=foo -->",
        "<link href=\"?q&charset=koi8-r\">", "<script>'<meta charset=koi8-r>'</script>",
        "<meta name=d content=\"charset=koi8-r\">", "<meta charset=\"\">",
        "<?xml version=\"1.0\" encoding=\"koi8-r\"?>"})
    CHECK(lines("html", other + utf8) == Lines{"café"});
  CHECK(lines("html", "<a href=\"?q&charset=koi8-r\">caf\u00e9</a>") == Lines{"café"});
  CHECK(lines("html", "<META CHARSET=\" KOI8-R \"><p>\xc1</p>") == Lines{"а"});
  CHECK(lines("html",
              "<META HTTP-EQUIV=Content-Type CONTENT=\"text/html; CHARSET = windows-1251\">"
              "<p>\xe0</p>") == Lines{"а"});
  CHECK(lines("html", "<?xml version=\"1.0\" encoding='windows-1251'?><p>\xe0</p>") == Lines{"а"});
  CHECK(lines("html", "\xEF\xBB\xBF<meta charset=koi8-r><p>caf\u00e9</p>") == Lines{"café"});
  CHECK_THROWS_WITH(extracted("html", "<meta charset=shift_jis>"),
                    Catch::Matchers::StartsWith("doc:1: encoding \"shift_jis\" is not read"));
  CHECK_THROWS_WITH(extracted("html", "<meta charset=nosuch>"),
                    Catch::Matchers::StartsWith("doc:1: unknown encoding \"nosuch\""));
}

TEST_CASE("HTML: an encoding that is guessed is reported") {
  const auto guessed = [](const std::string& page, const Lines& lines, int line,
                          const std::string& name) {
    INFO(page);
    const Extracted result = extracted("html", page);
    CHECK(result.lines == lines);
    REQUIRE(!result.problems.empty());
    CHECK(result.problems[0] ==
          "doc:" + std::to_string(line) + ": no UTF-8, and the document " +
              "declares no encoding; it is read as " + name +
              "; declare it by <meta charset>, or convert it by: iconv -f ENCODING -t UTF-8");
    CHECK(merged("html", page, lines).text == page);
    CHECK(result.problems.size() == (name == "utf-8" ? 2 : 1));
  };
  guessed("<p>a</p>\n<p>caf\xe9</p>", {"a", "café"}, 2, "windows-1252");
  guessed("<p>\xab CAF\xc9\xbb \xe0</p>", {"« CAFÉ» à"}, 1, "windows-1252");
  guessed(
      "<p>Gr\xc3\xb6\xc3\x9f"
      "e</p>\n<p>cut off: \xe2\x80</p>\n",
      {"Größe"}, 2, "utf-8");
  guessed("<p>\xc3\xb6</p>\n<p>\xff</p>", {"ö"}, 2, "utf-8");
  // Nothing is guessed of what is declared, or UTF-8.
  CHECK(extracted("html", "\xEF\xBB\xBF<p>a\xff</p>").problems.size() == 1);
  CHECK(lines("html", "<p>caf\u00e9</p>") == Lines{"café"});
}

}  // namespace tt::document
