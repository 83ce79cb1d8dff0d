// The grammar of tags, and the table of entities.
#include <string>
#include <vector>

#include "markup/elements.h"
#include "markup/tags.h"
#include "tests/catch.h"

namespace tt::markup {
namespace {

using Strings = std::vector<std::string>;
using Kind = Token::Kind;

// Tokens as "kind bytes", or "bytes" of text.
Strings tokens(std::string_view text, Syntax syntax = Syntax::html,
               Tokens::Of of = Tokens::Of::document) {
  Strings all;
  Tokens reader(text, syntax, 0, text.size(), of);
  for (Token token; reader.next(token);) {
    const char* const kinds[] = {"",         "open ",  "close ", "single ",
                                 "comment ", "other ", "cdata ", "cut "};
    all.push_back(kinds[static_cast<int>(token.kind)] + std::string(token.in(text)));
  }
  return all;
}

std::string characters(std::string_view text, Syntax syntax = Syntax::html) {
  std::string all;
  decode(
      text, syntax, [&](std::string_view known) { all += known; },
      [&](std::string_view unknown) { all += "[" + std::string(unknown) + "]"; });
  return all;
}

}  // namespace

TEST_CASE("markup is found, and whether it is nested") {
  const auto found = [](const std::string& text, auto find) {
    Strings all;
    for (const Token& token : find(text)) all.emplace_back(token.in(text));
    return all;
  };
  CHECK(found("<b>a</b> <br/> <img src=\"x\"> <g1> <x:y z>", tags_in) ==
        Strings{"<b>", "</b>", "<br/>", "<img src=\"x\">", "<g1>", "<x:y z>"});
  CHECK(found("a < b > c <3 <a@b.c> <http://x> <> </> <b <i>", tags_in) == Strings{"<i>"});
  CHECK(found("<!-- a <b> --> <?php x > y ?> <!DOCTYPE html> <![CDATA[<i>]]>", tags_in) ==
        Strings{"<!-- a <b> -->", "<?php x > y ?>", "<!DOCTYPE html>", "<![CDATA[<i>]]>"});
  CHECK(found("<日本>x</日本> <имя a=\"b\"> <été/> <_x> <日", tags_in) ==
        Strings{"<日本>", "</日本>", "<имя a=\"b\">", "<été/>", "<_x>"});
  CHECK(found("<1> {name} <!> <! x> <!-- <u> <? <、> <٣>", tags_in) == Strings{"<u>"});
  CHECK(found("<!--> a <!-->", tags_in) == Strings{"<!-->", "<!-->"});
  CHECK(empty_elements("<b><!-- x --></b> <!----> <?a?>") == 0);
  CHECK(well_nested({"<日本>", "<!-- x -->", "</日本>"}));
  CHECK(!well_nested({"</日本>", "<日本>"}));
  CHECK(found("&amp; &#39; &#x27; & &; &a b; &quot;x", tags_and_entities_in) ==
        Strings{"&amp;", "&#39;", "&#x27;", "&quot;"});
  CHECK(empty_elements("<b></b> <i> </i> <b>x</b> <br> <i></b>") == 2);
  CHECK(empty_elements("<b><i>x</i></b> <br/></br> a") == 0);
  CHECK(well_nested({}));
  CHECK(well_nested({"<b>", "</b>", "<i>", "</i>"}));
  CHECK(well_nested({"<b>", "<i>", "<br>", "</i>", "</b>"}));
  CHECK(well_nested({"<br>", "<b>", "<b/>", "</b>"}));
  CHECK(!well_nested({"</b>", "</i>", "<i>", "<b>"}));
  CHECK(!well_nested({"<b>", "<i>", "</b>", "</i>"}));
  CHECK(!well_nested({"<b>", "<b>", "</b>"}));
}

TEST_CASE("tags of HTML are those that browsers read") {
  CHECK(tokens("a<b c='>' d=\"<i>\" e=f/>g</B ><br><BR/>") ==
        Strings{"a", "open <b c='>' d=\"<i>\" e=f/>", "g", "close </B >", "single <br>",
                "single <BR/>"});
  CHECK(tokens("<a<b>x <1> </ y><!z></><?a?>") == Strings{"open <a<b>", "x <1> ", "comment </ y>",
                                                          "other <!z>", "comment </>",
                                                          "other <?a?>"});
  CHECK(tokens("<!--><!---><!-- > --!><!----><!--a--b-->") ==
        Strings{"comment <!-->", "comment <!--->", "comment <!-- > --!>", "comment <!---->",
                "comment <!--a--b-->"});
  CHECK(tokens("<title>a <b></title><script>'</b>'</script >c") ==
        Strings{"open <title>", "a <b>", "close </title>", "open <script>", "'</b>'",
                "close </script >", "c"});
  CHECK(tokens("a<b c='d") == Strings{"a", "cut <b c='d"});
  CHECK(tokens("a<!-- <b>") == Strings{"a", "cut <!-- <b>"});
  CHECK(tokens("a<!-- <b>", Syntax::html, Tokens::Of::line) == Strings{"a<!-- ", "open <b>"});
  for (const char* name : {"param", "basefont", "track", "image"}) CHECK(is_void(name));
}

TEST_CASE("code of templates is one token, also in a tag") {
  CHECK(tokens("<%= a > b %>c<?= d > e ?>f") ==
        Strings{"other <%= a > b %>", "c", "other <?= d > e ?>", "f"});
  CHECK(tokens("<a href=\"<%= url(\"x\") %>\" <%= more > 1 %>>b") ==
        Strings{"open <a href=\"<%= url(\"x\") %>\" <%= more > 1 %>>", "b"});
  CHECK(tokens("<a b=\"<%\">c") == Strings{"open <a b=\"<%\">", "c"});
}

TEST_CASE("a tag of unknown syntax, or of XML, is well-formed") {
  CHECK(tokens("<a b=\"<c>\" d='e'/>x<a b='c'd='e'>", Syntax::xml) ==
        Strings{"single <a b=\"<c>\" d='e'/>", "x<a b='c'd='e'>"});
  CHECK(tokens("<a <b>x</b> <it's so>", Syntax::unknown) ==
        Strings{"<a ", "open <b>", "x", "close </b>", " <it's so>"});
  CHECK(tokens("<!-->a--><![CDATA[<b>]]><!DOCTYPE a [<!ENTITY b '>'>]>", Syntax::xml) ==
        Strings{"comment <!-->a-->", "cdata <![CDATA[<b>]]>",
                "other <!DOCTYPE a [<!ENTITY b '>'>]>"});
}

TEST_CASE("a tag says that its element is not translated") {
  for (const char* tag : {"<p translate=no>", "<p TRANSLATE='NO'>", "<b class=\"a notranslate\">",
                          "<b class='notranslate\tb'>", "<mrk mtype=\"protected\">"})
    CHECK(forbids_translation(tag));
  for (const char* tag : {"<p translate=yes>", "<b class=\"notranslated\">", "<b id=notranslate>"})
    CHECK_FALSE(forbids_translation(tag));
}

TEST_CASE("entities are those of the HTML standard") {
  CHECK(characters("&ccaron;e &lang; &alpha; &nGt; &AMP; &apos;") == "če ⟨ α ≫⃒ & '");
  CHECK(characters("&copy 2020 &notit; &notin; &ampx &am") == "© 2020 ¬it; ∉ &x &am");
  CHECK(characters("&#233 &#xE9; &#x80; &#X41b") == "é é € \u041b");
  CHECK(characters("&foo; &#0; &#xD800; &#1114112; &#x; &; &#; AT&T;") ==
        "[&foo;] [&#0;] [&#xD800;] [&#1114112;] [&#x;] &; &#; AT[&T;]");
  CHECK(characters("&amp; &apos; &eacute; &copy &#233 &#xE9;", Syntax::xml) ==
        "& ' [&eacute;] &copy &#233 é");
  CHECK(characters("&eacute; &copy, &copy=1 &copyright", Syntax::unknown) ==
        "é ©, &copy=1 &copyright");
}

}  // namespace tt::markup
