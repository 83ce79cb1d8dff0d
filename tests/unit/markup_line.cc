// Markup of a line, taken out of its text and put into a translation.
#include "lines/markup_line.h"

#include <algorithm>
#include <string>
#include <vector>

#include "lines/sentences.h"
#include "tests/catch.h"
#include "tests/unit/line_fixture.h"

namespace tt {
namespace {

using Strings = std::vector<std::string>;

struct Result {
  std::string text;
  Strings problems;
};

// The line whose text is translated to `target`, a sentence with LF between two of them, with the
// links "s-t" of its words; without a target, to itself. Of the first sentence `kept`, from left to
// right, stands there byte for byte.
Result back(const std::string& text, const char* target = nullptr, const std::string& links = "",
            MarkupKind kind = MarkupKind::html, const Strings& kept = {}) {
  LineOptions options;
  options.markup = kind;
  options.sentences = "en";
  options.pass_through = false;
  options.letter_case = !kept.empty();
  Line line = read_line(text, options);
  std::string rest = target ? target : "";
  std::vector<SoftAlignment> each;
  SoftAlignment all;
  const bool aligned = text.size() <= 1000;  // a long line has too many words for it
  for (LineSentence& s : line.text.sentences) {
    s.result.best.resize(1);
    std::string& translation = s.result.best[0].text;
    translation = target ? rest.substr(0, rest.find('\n')) : s.request.text;
    rest.erase(0, std::min(rest.size(), translation.size() + 1));
    const std::size_t words = aligned ? words_of(translation).size() : 0;
    each.emplace_back(words, std::vector<float>(words_of(s.request.text).size()));
    for (std::size_t w = 0; w < words && !target; ++w) each.back()[w][w] = 1;
    for (std::size_t w = 0; w < words; ++w) all.emplace_back(translated_words(line.text).size());
  }
  Translation& first = line.text.sentences[0].result.best[0];
  std::size_t behind = 0;
  for (const std::string& k : kept) {
    const std::size_t begin = first.text.find(k, behind);
    behind = begin + k.size();
    first.replaced.insert(first.replaced.begin(), {begin, behind, k.size()});
  }
  for (std::size_t at = 0; at < links.size() && target;) {
    const std::size_t dash = links.find('-', at), end = std::min(links.find(' ', at), links.size());
    all.at(std::stoul(links.substr(dash + 1))).at(std::stoul(links.substr(at))) = 1;
    at = end + 1;
  }
  LineTranslation& found = line.found;
  found.result = joined(line.text);
  if (!aligned) found.alignments.emplace_back();
  else if (target) found.alignments = {all};
  else found.of_sentences = {each};
  line.text.problems = {};
  for (auto undo = line.undos.rbegin(); undo != line.undos.rend(); ++undo)
    if (undo->put_back) undo->put_back(found, line.text);
  return {found.result.best[0].text, texts_of(line.text.problems.all())};
}

std::string text_in(const char* line, MarkupKind kind = MarkupKind::html) {
  return MarkupLine(line, kind).text();
}

Strings problems_of(const char* line, MarkupKind kind = MarkupKind::html) {
  return texts_of(MarkupLine(line, kind).problems());
}

Strings tags(std::string_view line, MarkupKind kind) {
  Strings all;
  markup::Tokens tokens(line, kind == MarkupKind::html ? markup::Syntax::html : markup::Syntax::xml,
                        0, line.size(), markup::Tokens::Of::line);
  for (markup::Token token; tokens.next(token);)
    if (token.kind != markup::Token::Kind::text) all.emplace_back(token.in(line));
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("the text of a line is what stands between its tags") {
  CHECK(text_in("H<u>e</u>llo <b>world</b> how <u>are you</u>?") == "Hello world how are you?");
  CHECK(text_in("a <a href='x > y' b=\"<i>\" c=d e>b</a> c") == "a b c");
  CHECK(text_in("a<!-- b --> c<?d?> e") == "a c e");
  CHECK(text_in("1 < 2 and 3 > 2 <3 <b") == "1 < 2 and 3 > 2 <3 <b");
  CHECK(text_in("a</ b >c<!-->d<!x>e<%= f %>g") == "acdeg");
  CHECK(text_in("a <b c <i>d</i> e") == "a d e");
  CHECK(
      text_in(
          "&lt;b&gt; &amp;amp; &#233;&eacute;&#xE9; &hellip; &alpha; AT&T &bogus; &copy 2020 &") ==
      "<b> &amp; ééé … α AT&T bogus © 2020 &");
  CHECK(text_in("10&nbsp;km") == "10 km");
  CHECK(text_in("a <![CDATA[q > <b>]]> c", MarkupKind::xml) == "a  c");
  CHECK(problems_of("a <![CDATA[q> c", MarkupKind::xml) ==
        Strings{"a tag that does not end: <![CDATA[q>"});
  // HTML has no such sections, but a comment that > ends.
  CHECK(text_in("a <![CDATA[q > b]]> c") == "a  b]]> c");
  CHECK(text_in("use <code>ls <i>-l</i></code> here") == "use ls -l here");
  CHECK(text_in("<p>One.</p><p>Two.") == "<p>One.</p><p>Two.");
  CHECK(text_in("a <Ö>b</Ö> <x:y-z1>c</x:y-z1>", MarkupKind::xml) == "a b c");
  CHECK(text_in("a <p>b</p> c", MarkupKind::xml) == "a b c");
}

TEST_CASE("block tags part sentences") {
  const auto untranslated = [](const char* text, MarkupKind kind = MarkupKind::html) {
    const MarkupLine line(text, kind);
    Strings all;
    for (const TextRange& r : line.untranslated())
      all.push_back(line.text().substr(r.begin, r.end - r.begin));
    return all;
  };
  CHECK(untranslated("<p>One <b>two</b></p><P class=x>three<br>four</p>") ==
        Strings{"<p>", "</p>", "<P class=x>", "<br>", "</p>"});
  CHECK(untranslated("<b>one<p>two</p>three</b> <i>four</i>") ==
        Strings{"<b>", "<p>", "</p>", "</b>"});
  CHECK(untranslated("<p>a</p> <b><i/></b> <p>b</p>") ==
        Strings{"<p>", "</p>", "<b>", "<i/>", "</b>", "<p>", "</p>"});
  CHECK(untranslated("<script>a < b; '</p>'</script> <style>x{}</style>") ==
        Strings{"<script>a < b; '</p>'</script>", "<style>x{}</style>"});
  CHECK(untranslated("a <script>b <i>c</i>") == Strings{"<script>b <i>c</i>"});
  CHECK(untranslated("a <div translate=no>b <p>c</p></div> d") ==
        Strings{"<div translate=no>b <p>c</p></div>"});
  CHECK(untranslated("<p>a</p>", MarkupKind::xml).empty());
}

TEST_CASE("no tag stands inside of kept text") {
  const auto kept = [](const char* text, const char* target, const char* links,
                       const Strings& stretches) {
    return back(text, target, links, MarkupKind::html, stretches).text;
  };
  CHECK(kept("{0} <b>red</b> boys", "jungen {0}", "0-0 1-1 2-0", {"{0}"}) == "jungen <b>{0}</b>");
  CHECK(kept("see <b>dogs</b> here", "%s hier", "1-0 2-1", {"%s"}) == "<b>%s</b> hier");
  CHECK(kept("see <b>dogs</b> here", "da -7 hier", "1-1 2-2", {" -7 "}) == "da <b>-7</b> hier");
  CHECK(kept("see <b>dogs</b> here", "{a b} hier", "1-0 2-2", {"{a b}"}) == "<b>{a b}</b> hier");
  CHECK(kept("see dogs<img> here", "{a b} hier", "1-0 2-2", {"{a b}"}) == "{a b}<img> hier");
  CHECK(kept("<b>one</b> <i>two</i> go", "{a b} geht", "0-0 1-1 2-2", {"{a b}"}) ==
        "<b>{a b}</b> <i></i> geht");
  CHECK(kept("see <b>dogs</b> here", "»Hunde« hier", "1-0 2-1", {}) == "»<b>Hunde</b>« hier");
  CHECK(kept("SEE THE <b>DOGS</b>", "ŉ die {x}.", "0-0 1-1 2-2", {"{x}"}) == "ʼN DIE <b>{x}</b>.");
}

TEST_CASE("tags enclose the words that come from those that they enclosed") {
  CHECK(back("hello <b>world</b>", "hallo Welt", "0-0 1-1").text == "hallo <b>Welt</b>");
  CHECK(back("a house <!-- b --> <p>c</p>").text == "a house <!-- b --> <p>c</p>");
  CHECK(back("a <b>red</b> house.", "une maison rouge.", "0-0 1-2 2-1").text ==
        "une maison <b>rouge</b>.");
  CHECK(back("The <b>dog</b> sees <i>the cat</i>.", "die Katze sieht der Hund.",
             "0-3 1-4 2-2 3-0 4-1")
            .text == "<i>die Katze</i> sieht der <b>Hund</b>.");
  CHECK(
      back("the <b>big <i>red</i> dog</b> runs", "le gros chien rouge court", "0-0 1-1 2-3 3-2 4-4")
          .text == "le <b>gros chien <i>rouge</i></b> court");
  CHECK(back("<b>all <i>of it</i></b>", "alles davon.", "0-0 1-1 2-1").text ==
        "<b>alles <i>davon</i></b>.");
  // The stretch that agrees best, where a word of others stands between.
  CHECK(back("he <b>picks up</b> it", "er hebt es auf", "0-0 1-1 2-3 3-2").text ==
        "er <b>hebt es auf</b>");
  CHECK(back("<b>picks the whole lot up</b> now", "hebt jetzt alles auf das", "0-0 1-2 3-3 4-4 5-1")
            .text == "<b>hebt jetzt alles auf das</b>");
  CHECK(back("\"<b>dog</b>\" (<i>cat</i>)", "»Hund« (Katze)", "0-0 1-1").text ==
        "»<b>Hund</b>« (<i>Katze</i>)");
  CHECK(back("see <b>the end.</b>", "siehe das Ende.", "0-0 1-1 2-2").text ==
        "siehe <b>das Ende.</b>");
  // Tags that HTML does not know, as those of tt-document's lines.
  CHECK(
      back("a <g id=\"1\">red</g> <ph id=\"1\"/> house", "une maison rouge", "0-0 1-2 2-1").text ==
      "une <ph id=\"1\"/> maison <g id=\"1\">rouge</g>");
  CHECK(back("a <c.x>red</c.x> house", "une maison rouge", "0-0 1-2 2-1").text ==
        "une maison <c.x>rouge</c.x>");
  // A part of a word.
  CHECK(back("H<u>e</u>llo world", "hallo Welt", "0-0 1-1").text == "<u>hallo</u> Welt");
  // Languages without spaces.
  CHECK(back("a <b>cat</b> sleeps", "猫が寝る", "1-0 2-2 2-3").text == "<b>猫</b>が寝る");
}

TEST_CASE("what encloses nothing stands beside the words that it stood beside") {
  CHECK(back("a <img src=x> red house", "une maison rouge", "0-0 1-2 2-1").text ==
        "une maison <img src=x> rouge");
  CHECK(back("dog<sup/> and cat", "Hund und Katze", "0-0 1-1 2-2").text == "Hund<sup/> und Katze");
  CHECK(back("dog<img>, cat", "Hund, Katze", "0-0 1-1").text == "Hund<img>, Katze");
  CHECK(back("<img>dog cat<wbr>", "Hund Katze", "0-0 1-1").text == "<img>Hund Katze<wbr>");
  CHECK(back("a <b></b><i><u></u></i> dog", "ein Hund", "0-0 1-1").text ==
        "ein <b></b><i><u></u></i> Hund");
  CHECK(back("10&nbsp;km", "10 km", "0-0 1-1").text == "10&nbsp;km");
  CHECK(back("red&nbsp;house", "maison rouge", "0-1 1-0").text == "maison&nbsp;rouge");
  CHECK(back("a <!-- x --> <b>dog</b>", "ein Hund", "0-0 1-1").text ==
        "ein <!-- x --> <b>Hund</b>");
  // It is not inside of an element that it was not in.
  CHECK(back("<b>the red</b> <img> house", "la maison rouge", "0-0 1-2 2-1").text ==
        "<b>la maison rouge</b> <img>");
}

TEST_CASE("what is untouched stands for its words") {
  CHECK(back("use <code>a &lt; b</code> here.", "hier a < b nutzen.", "0-4 1-1 2-2 3-3 4-0").text ==
        "hier <code>a &lt; b</code> nutzen.");
  CHECK(back("the <span translate='no'>Dog</span>, too", "auch der Hund, ja", "0-1 1-2 2-0").text ==
        "auch der <span translate='no'>Dog</span>, ja");
  CHECK(back("run &brand; now", "brand jetzt starten", "0-2 1-0 2-1").text ==
        "&brand; jetzt starten");
  // Inside of a word an entity stands beside it.
  CHECK(back("the do&foo;g", "der Hund", "0-0 1-1").text == "der Hund&foo;");
  CHECK(back("the &foo;dog", "der Hund", "0-0 1-1").text == "der &foo;Hund");
  CHECK(back("&foo;&bar; dog", "foo Hund", "0-0 1-1").text == "&foo;&bar; Hund");
}

TEST_CASE("a part of what is not translated may be, by itself") {
  const std::string line =
      "<p translate=no>A <b>big</b> <i translate='yes'>dog</i> b <i translate=yes>cat</i></p> runs";
  CHECK(back(line).text == line);
  CHECK(back(line, "Hund\nKatze\nläuft").text ==
        "<p translate=no>A <b>big</b> <i translate='yes'>Hund</i> b <i translate=yes>Katze</i></p> "
        "läuft");
  const std::string nested =
      "a <b translate=no>B <i translate=yes>c <u translate=no>D</u></i></b> e";
  CHECK(back(nested).text == nested);
  CHECK(back(nested, "x\ny D\nz", "0-0 1-1 2-2 3-3").text ==
        "x <b translate=no>B <i translate=yes>y <u translate=no>D</u></i></b> z");
}

TEST_CASE("entities are written as the line has them, and no text becomes a tag") {
  CHECK(back("the <b>R&D</b> & b", "die R&D & b", "0-0 1-1 2-2 3-3").text == "die <b>R&D</b> & b");
  CHECK(back("a&b <b>c</b>", "lt; &lt; a&copy", "0-0 1-1 1-2").text.find("&lt;") ==
        std::string::npos);
  CHECK(back("a &amp; b &lt; c &eacute;", "é < b & a", "").text == "&eacute; &lt; b &amp; a");
  CHECK(back("a b", "<b> & c > d", "").text == "&lt;b&gt; &amp; c &gt; d");
  CHECK(back("R & D < 5 > 3", "F & E < 5 > 3 <b>&lt;", "").text == "F & E < 5 > 3 &lt;b>&amp;lt;");
  for (const char* text :
       {"&copy 2020 &not in", "&copyright &reg=1 x&ccaron;y &#233 a", "&#0; &#9; &foo;"})
    CHECK(back(text).text == text);
}

TEST_CASE("several sentences, and elements across them") {
  CHECK(back("<p>This <em>is a sentence. And so is</em> this.</p>",
             "Dies ist ein Satz.\nUnd so ist dies.", "0-0 1-1 2-2 3-3 4-4 5-5 6-6 7-7")
            .text == "<p>Dies <em>ist ein Satz. Und so ist</em> dies.</p>");
  CHECK(back("<ul><li>One <b>dog</b>.</li><li>Two.</li></ul>", "Ein Hund.\nZwei.", "0-0 1-1 2-2")
            .text == "<ul><li>Ein <b>Hund</b>.</li><li>Zwei.</li></ul>");
  CHECK(back("<td> &nbsp; </td><td><b></b></td>").text == "<td> &nbsp; </td><td><b></b></td>");
  CHECK(back("&nbsp;").text == "&nbsp;");
  CHECK(back("<br/>").text == "<br/>");
  CHECK(back("<h1>T</h1>text<hr><!--c--><p>a<br>b").text == "<h1>T</h1>text<hr><!--c--><p>a<br>b");
  CHECK(back("").text.empty());
}

TEST_CASE("a translation that is the text is the line") {
  for (const char* text :
       {"<p>This text &amp; has <b>HTML</b> in it</p>", "<p><input>He <b>world</b>, how?</p>",
        "<p data-attr=\"&quot;&apos;\">a &lt;with&gt; named &amp; entities</p>",
        "hello <b>world!</b> How does this <img> <b>deal <u>with many?</u></b> Will it work?",
        "<b><i>one</i> two</b> three <a href=x>four <b>five</b></a>", "a <x/> bc<y/>",
        "<i>a</i> <i>b</i> <i>c</i>", "x <code>if (a &amp;&amp; b) {}</code>, y",
        "\"<b>q</b>\", (<i>r</i>) s; t."})
    for (const MarkupKind kind : {MarkupKind::html, MarkupKind::xml}) {
      INFO(text);
      const Result same = back(text, nullptr, "", kind);
      CHECK(same.text == text);
      CHECK(same.problems.empty());
    }
}

// Those of bergamot-translator that are not among the cases above (src/tests/units/html_tests.cpp).
// Where it puts spaces in the place of tags inside of words, as in un<u>der</u>line, these stay
// words here, and get the tags as a whole, where it leaves them empty.
TEST_CASE("markup as Bergamot's tests have it") {
  CHECK(text_in("hel<wbr>lo hel<WBR>lo") == "hello hello");
  CHECK(text_in("foo <var><var>nested</var></var> bar") == "foo nested bar");
  CHECK(back("un<u>der</u>line", "subrayar", "0-0").text == "<u>subrayar</u>");
  CHECK(back("hello <u></u>", "hallo", "0-0").text == "hallo <u></u>");
  CHECK(text_in("hello<img/>world<INPUT x>wide<wbr>web") == "hello world wideweb");
  CHECK(back("red<img>house", "maison rouge", "0-1 1-0").text == "maison<img>rouge");
  CHECK(back("<P><B>Spa</B>ce<BR>please?</p>", "Platz\nbitte?", "0-0 1-1").text ==
        "<P><B>Platz</B><BR>bitte?</p>");
  CHECK(back("<p>hello <b>world &amp; friends!</b></p>", "hallo Welt & Freunde!", "0-0 1-1 2-2 3-3")
            .text == "<p>hallo <b>Welt &amp; Freunde!</b></p>");
  for (const char* text :
       {"", "<p></p>", "hello <br>", "<p>hello <br></p>", "<p>hello<img/>world</p>",
        "<p id=\"1\">hello <img id=\"1.1\"><span id=\"1.2\"><u id=\"1.2.1\"></u><b "
        "id=\"1.2.2\"></b>"
        "<img id=\"1.2.3\">world</span></p>",
        "hello <script>alert(\"<foo>\");</script>world", "foo <!-- <ignore> me -->bar",
        "foo <var><var>nested</var></var> bar", "foo <var>&amp;</var> bar"}) {
    INFO(text);
    const Result same = back(text);
    CHECK(same.text == text);
    CHECK(same.problems.empty());
  }
  const std::string car = "<p>I <b>like</b> to <u>drive</u> this car.</p>";
  CHECK(back(car, "Ich fahre gerne dieses Auto.", "0-0 3-1 1-2 4-3 5-4").text ==
        "<p>Ich <u>fahre</u> <b>gerne</b> dieses Auto.</p>");
  // No word comes from those with tags.
  const Result lost = back(car, "Rád řídím to auto.", "0-0 2-1 4-2 5-3");
  CHECK(lost.text == "<p>Rád <b></b> řídím <u></u> to auto.</p>");
  CHECK(lost.problems.size() == 1);
}

TEST_CASE("what is wrong with markup is said, and no tag is lost") {
  CHECK(problems_of("a <b>c") == Strings{"a tag that is not closed: <b>"});
  CHECK(problems_of("a </b>c") == Strings{"a closing tag without its opening tag: </b>"});
  CHECK(problems_of("<b>a <i>b</b> c</i>") ==
        Strings{"a tag that is not closed: <i>", "a closing tag without its opening tag: </i>"});
  CHECK(problems_of("<p>a <li>b <b>c</b> <br> <img>").empty());
  CHECK(problems_of("<p>a", MarkupKind::xml).size() == 1);
  CHECK(problems_of("a <b").size() == 1);
  for (const char* open : {"a <!-- b", "a <? b", "a <![CDATA[ b"})
    for (const MarkupKind kind : {MarkupKind::html, MarkupKind::xml})
      CHECK(problems_of(open, kind).size() == 1);
  // Of many the first is named, and of that its beginning.
  for (const auto& [open, kind] : {std::pair("<!--", MarkupKind::html),
                                   {"</b>", MarkupKind::html},
                                   {"<![CDATA[", MarkupKind::xml},
                                   {"<b>", MarkupKind::xml}}) {
    std::string line;
    for (int i = 0; i < 3000; ++i) line += open;
    std::size_t size = 0;
    for (const std::string& problem : problems_of(line.c_str(), kind)) size += problem.size();
    CHECK(size < 250);
  }
  CHECK(problems_of("a <script x>b <i>c</i>") == Strings{"a tag that is not closed: <script x>"});
  CHECK(problems_of("a <style>").size() == 1);
  CHECK(problems_of("a <script/> b <style>c</style> <script></script>").empty());
  const Result lost = back("a <b>big</b> dog", "ein Hund", "0-0 2-1");
  CHECK(lost.text == "ein <b></b> Hund");
  CHECK(lost.problems == Strings{"markup whose place no word of the translation says: <b>"});
  CHECK(back("a <b>dog</b>", "", "").text == "<b></b>");
  CHECK(back("<b>a</b><i>b</i>", "ein", "0-0").problems.size() == 1);
  for (const char* text :
       {"a <b>c", "<b>a <i>b</b> c</i>", "</p>x</b><u>y", "<a><b>x</a>y</b> z</i>",
        "<code>a <b>c</code> d", "<!-- <b> a", "<b>x<p>y</b>z</p>", "a <b <i>c</i>"})
    for (const char* target : {"eins", "zwei drei", "", "<b> & vier"}) {
      INFO(text << " | " << target);
      CHECK(tags(back(text, target).text, MarkupKind::html) == tags(text, MarkupKind::html));
    }
}

TEST_CASE("deep markup, and much of it, takes time in proportion") {
  std::string deep, wide, nested;
  for (int i = 0; i < 4000; ++i) {
    deep += "<b>";
    wide += "<b>x</b><i> &lt;";
    nested = "<b>x " + nested + "</b>";
  }
  CHECK(tags(back(deep + "x").text, MarkupKind::html).size() == 4000);
  CHECK(tags(back(wide).text, MarkupKind::html).size() == 12000);
  CHECK(tags(back(nested).text, MarkupKind::html).size() == 8000);
  std::string deepest, beside;
  for (int i = 0; i < 100000; ++i) deepest += "<b>", beside += i % 2 ? "<b>x</b>" : "<wbr> ";
  CHECK(tags(back(deepest + "x").text, MarkupKind::html).size() == 100000);
  CHECK(tags(back(beside).text, MarkupKind::html).size() == 150000);
  std::string lists, whole;
  for (int i = 0; i < 50000; ++i) lists += "<ul>", whole += "</ul>";
  CHECK(tags(back(lists + "x" + whole).text, MarkupKind::html).size() == 100000);
}

}  // namespace tt
