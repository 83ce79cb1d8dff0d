// Documents of running text: Markdown and subtitles.
#include "base/random.h"
#include "document/editor.h"
#include "tests/checked_document.h"

namespace tt::document {

TEST_CASE("a text is one line, whatever is in it, and comes back") {
  for (const std::string text : {"a\nb\tc\rd", "C:\\new\\table", "\\", "\\\\n", "a\\\nb", "x"}) {
    CHECK(as_line(text).find_first_of("\n\t\r") == std::string::npos);
    CHECK(from_line(as_line(text)) == text);
  }
  CHECK(as_line("a\n\\n") == "a\\n\\\\n");
  CHECK(from_line("\\x \\") == "\\x \\");
}

TEST_CASE("white space around a text is not in its line") {
  Settings settings{.columns = {"1"}};
  CHECK(extracted("csv", "\"  a b\n\"\n", settings).lines == Lines{"a b"});
  CHECK(merged("csv", "\"  a b\n\"\n", {"c"}, settings).text == "\"  c\n\"\n");
}

TEST_CASE("a translation that cannot be taken is reported, and the text stays") {
  const std::string page = "<p>a <b>b</b> c</p>\n<p>d</p>";
  for (const auto& [line, why] : std::vector<std::pair<std::string, std::string>>{
           {"", "is empty"},
           {" \t", "is empty"},
           {"a \xff", "is not UTF-8"},
           {"<b>a</b> \x01", "has U+0001, which is no character of text"},
           {"<b>a</b> &#12;", "has U+000C"},
           {"<b>a &#xFFFE;</b>", "has U+FFFE"},
           {"<b>a</b>" + std::string(1, '\0'), "has U+0000"},
           {"a b", "lacks <b>"},
           {"<b>a</b> <i>b</i>", "has <i> where"},
           {"a <b>b</b> <b>c</b>", "has <b> where"},
           {"a </b>b<b>", "has tags that are not nested"}}) {
    const Merged result = merged("html", page, {line, "e"});
    CHECK(result.text == "<p>a <b>b</b> c</p>\n<p>e</p>");
    REQUIRE(result.problems.size() == 1);
    CHECK(result.problems[0].starts_with("doc:1: translation 1 " + why));
  }
}

TEST_CASE("a text with a NUL stays, and is reported") {
  const std::string nul(1, '\0');
  for (const std::string& page :
       {"<p>a" + nul + "b</p>\n<p>c</p>", "<p>c</p>\n<p>a <b>" + nul + "b</b></p>"}) {
    const Merged result = merged("html", page, {"d"});
    CHECK(result.text.find(">d<") != std::string::npos);
    REQUIRE(result.problems.size() == 1);
    CHECK(result.problems[0].find(": text with a NUL; it stays as it is") != std::string::npos);
  }
}

TEST_CASE("a translation has control characters only where its text has them") {
  CHECK(with("html", "<p>a &#1; b</p>", {"c \x01 d"}) == "<p>c \x01 d</p>");
  const std::string po = "msgid \"\\033[1ma\\f\"\nmsgstr \"\"\n";
  CHECK(with("po", po, {"\x1b[1mb\f c"}).ends_with("msgstr \"\x1b[1mb\\f c\\f\"\n"));
  CHECK(merged("po", po, {"\x1b[1mb\x02"}).problems ==
        Lines{"doc:1: translation 1 has U+0002, which is no character of text; the text stays as "
              "it is"});
  CHECK(with("html", "<p>a</p>", {"\u00a0b\u200b\ue000\\t\U0001F600"}) ==
        "<p>&#160;b\u200b\ue000\t\U0001F600</p>");
}

TEST_CASE("text that cannot be decoded is reported, in any encoding") {
  const std::string unread = ": text with bytes that are no characters of its encoding",
                    no_utf8 = ": text that is not UTF-8", stays = "; it stays as it is",
                    convert = stays + "; convert the document by: iconv -f ENCODING -t UTF-8";
  const auto damaged = [&](const std::string& format, const std::string& document, int line,
                           const Settings& settings = {}) {
    INFO(document);
    const Extracted result = extracted(format, document + "\n", settings);
    CHECK(result.lines == Lines{});
    const bool other =
        document.find("euc") != document.npos || document.find("iso") != document.npos;
    CHECK(result.problems ==
          Lines{"doc:" + std::to_string(line) + (other ? unread + stays : no_utf8 + convert)});
    CHECK(merged(format, document, {}, settings).text == document);
  };
  for (const char* name : {"euc-jp", "euc-kr", "iso-8859-7", "utf-8"}) {
    damaged("html", "<meta charset=" + std::string(name) + ">\n<p>Hello \xff dogs</p>", 2);
    damaged("html", "<meta charset=" + std::string(name) + ">\n<p>\xff</p>", 2);
    damaged("po",
            "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=" + std::string(name) +
                "\\n\"\n\nmsgid \"Hello \xff dogs\"\nmsgstr \"\"",
            4);
  }
  const std::string unit =
      "<xliff version='1.2'><file><body><trans-unit><source>a \xff</source>"
      "</trans-unit></body></file></xliff>\n";
  const Lines problems =
      extracted("xliff", "<?xml version='1.0' encoding='iso-8859-7'?>\n" + unit).problems;
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].starts_with("doc:"));  // the rest is libxml2's
  CHECK(problems[1] == "doc:2" + unread + stays);
  damaged("csv", "1,\xff", 1, {.columns = {"2"}});
  damaged("srt", "1\n00:00:01,000 --> 00:00:02,000\n\xff", 3);
  damaged("markdown", "a\xff", 1);
}

TEST_CASE("a document whose lines end with CR alone is refused") {
  for (const char* format : {"markdown", "po", "srt", "vtt"})
    CHECK_THROWS_WITH(extracted(format, "WEBVTT\r\r00:01.000 --> 00:02.000\rA dog\rb\n"),
                      "doc:1: its lines end with CR alone, as on old Macs; convert it by: tr "
                      "'\\r' '\\n'");
  const Extracted few = extracted("markdown", "a\nb\rc\r\r\nd\r");
  CHECK(few.lines == Lines{"a b\\rc\\r d"});
  CHECK(few.problems ==
        Lines{"doc:2: 1 carriage return without a line feed, the first of them "
              "here, where no line ends; if one should, put a line feed in its place"});
  CHECK(lines("html", "<p>a</p>\r<p>b</p>\r") == Lines{"a", "b"});
}

TEST_CASE("tags may be in another order, and get their own bytes") {
  CHECK(with("html", "<p><b\n class=a>x</b> and <i>y</i></p>", {"<i>Y</i> und <b class=a>X</b>"}) ==
        "<p><i>Y</i> und <b\n class=a>X</b></p>");
  CHECK(with("markdown", "**x** and [y](z)\n", {"<g id=\"2\">Y</g> und <g id=\"1\">X</g>"}) ==
        "[Y](z) und **X**\n");
}

TEST_CASE("Markdown: what is text, and what is not") {
  CHECK(lines("markdown", "---\na: b\n---\n# c {#d}\n\n## e ##\n") == Lines{"c", "e"});
  CHECK(lines("markdown", "```\na\n```\n~~~ b\nc\n~~~\n\n    d\n\ne\n") == Lines{"e"});
  CHECK(lines("markdown", "a\nb\n===\n\n[c]: d\n- - -\n") == Lines{"a b"});
  CHECK(lines("markdown", "- a\n  b\n- c\n\n  d\n\n      code\n1. e\n2. f\n") ==
        Lines{"a b", "c", "d", "e", "f"});
  CHECK(lines("markdown", "> a\n> b\n\nc\n> d\n") == Lines{"a b", "c", "d"});
  CHECK(lines("markdown", "a  \nb\\\nc\n") == Lines{"a", "b", "c"});
  CHECK(lines("markdown", "| a | b\\|c |\n|--|--|\n| `d` | e |\n") == Lines{"a", "b|c", "e"});
  CHECK(lines("markdown", "<div>\n<b>a</b>\n</div>\n\n<!-- b\n\nc -->\nd\n") == Lines{"a", "d"});
  CHECK(lines("markdown", "> > <div>\n> > a <b>b</b>") == Lines{"a <b>b</b>"});
  CHECK(lines("markdown", "- [ ] a\n* [x] b\n[^1]: c\n") == Lines{"a", "b", "c"});
  CHECK(lines("markdown", "a\r\nb\r\n\r\nc\r\n") == Lines{"a b", "c"});
}

TEST_CASE("Markdown: what nothing closes is reported") {
  const auto all = [](const std::string& document) { return extracted("markdown", document); };
  for (const char* open :
       {"```\nb\n", "~~~ x\n\nb\n", "<!-- x\n\nb\n", "<pre>\nb\n", "<script>\nb\n"}) {
    INFO(open);
    const Extracted result = all("a\n\n" + std::string(open) + "\nc\n");
    CHECK(result.lines == Lines{"a"});
    REQUIRE(!result.problems.empty());
    CHECK(result.problems[0].starts_with("doc:3: "));
  }
  CHECK(all("a\n\n```\n").problems.empty());
  CHECK(all("a\n\n> ```\n> b\n\nc\n").lines == Lines{"a", "c"});
  CHECK(all("> ```\n> b\n> ```\n> d\n\nc\n").lines == Lines{"d", "c"});
  // Two dollars are a formula where others close them.
  CHECK(all("$$\nx\n$$\n\nb\n").lines == Lines{"b"});
  CHECK(all("$$ a\n\nb\n\n$$ c\n").lines == Lines{"$$ a", "b", "$$ c"});
  CHECK(all("> $$\n> x\n> $$\n> b\n\n> $$ c\n\nd\n").lines == Lines{"b", "$$ c", "d"});
  CHECK(all("<preview>\na\n\nb\n").lines == Lines{"a", "b"});
  std::string many;
  for (int i = 0; i < 50000; ++i) many += "$$ a\n\n> $$ b\n\n";
  CHECK(all(many).lines.size() == 100000);
}

TEST_CASE("Markdown: emphasis and links enclose text; code and addresses are none") {
  const auto one = [](const std::string& text) {
    const Lines found = lines("markdown", text + "\n");
    return found.size() == 1 ? found[0] : "";
  };
  CHECK(one("a **b** _c_ ~~d~~") == "a <g id=\"1\">b</g> <g id=\"2\">c</g> <g id=\"3\">d</g>");
  CHECK(one("2 * 3 * x_y_z a**") == "2 * 3 * x_y_z a**");
  CHECK(one("a `b **c**` ``d ` e``") == "a <ph id=\"1\"/> <ph id=\"2\"/>");
  CHECK(one("a ![b](c) <http://d> https://e.f/g_h. {{ i }}") ==
        "a <ph id=\"1\"/> <ph id=\"2\"/> <ph id=\"3\"/>. <ph id=\"4\"/>");
  CHECK(one("a [b *c* [d]](e(f) \"g\") [h] [i][j]") ==
        "a <g id=\"1\">b <g id=\"2\">c</g> [d]</g> [h] [i][j]");
  CHECK(one("a <b>c</b> &amp; & &eacute; \\* \\a") == "a <b>c</b> &amp; &amp; é * \\\\a");
  CHECK(lines("markdown", "a [B  c] [d][b C] [^1]\n\n[b c]: d\n") ==
        Lines{"a <g id=\"1\">B c</g> <g id=\"2\">d</g> <ph id=\"1\"/>"});
}

TEST_CASE("Markdown: quotations") {
  const auto check = [](const std::string& document, const Lines& found) {
    CHECK(lines("markdown", document) == found);
    Lines others;
    for (const std::string& line : found) others.push_back("x " + line);
    CHECK(lines("markdown", with("markdown", document, others)) == others);
  };
  // Tables in quotations and items, and what ends one.
  check("> | a dog | cat |\n> |---|---|\n> | house | bread |\n",
        {"a dog", "cat", "house", "bread"});
  check("a\n> b | c\n> --- | ---\n> d | e\nf\n", {"a", "b", "c", "d", "e", "f"});
  check("> > | a |\n> > |:-:|\n> > | b |\n> > c\n", {"a", "b", "c"});
  check("- | a | b |\n  |---|---|\n  | c | d |\n- e\n", {"a", "b", "c", "d", "e"});
  check("- > | a |\n  > |---|\n  > | b |\n", {"a", "b"});
  check("| a |\n|---|\nb\nc | d\n# e | f\n", {"a", "b", "c", "e | f"});
  check("| a |\n|---|\n| b |\n> c\n", {"a", "b", "c"});
  check("a\n| b | c |\n| d | e |\nf\n", {"a | b | c | | d | e | f"});
  CHECK(with("markdown", "> | a | b |\n> |---|---|\n>|c|d|\n", {"e", "f|", "g", "h"}) ==
        "> | e | f\\| |\n> |---|---|\n>|g|h|\n");
  // Their kinds, and titles of these.
  CHECK(with("markdown", "> [!NOTE] a\n> b\n", {"- c", "[!d] e"}) == "> [!NOTE] - c\n> [!d] e\n");
  check("> [!NOTE]\n> The dog sleeps.\n", {"The dog sleeps."});
  check("> [!tip]- A cat\n> b\n> c\n>\n> d\n", {"A cat", "b c", "d"});
  check("> > [!WARNING]\n> > - a\n", {"a"});
  check("> a\n> [!NOTE] b\n", {"a [!NOTE] b"});
  check("> [![a](b)](c) d\n", {"<g id=\"1\"><ph id=\"1\"/></g> d"});
  check("[!NOTE]\na\n", {"[!NOTE] a"});
  // Quotations in quotations, lists in them, and headings.
  check("> a\n> > b\n> > c\n", {"a", "b c"});
  check("> > a\n> b\nc\n", {"a b c"});
  check("> - a\n>   b\n> - c\n>\n> > 1. d\n> > 2. e\n", {"a b", "c", "d", "e"});
  check("> a\n> ===\n> b\n> ---\n> c\n", {"a", "b", "c"});
}

TEST_CASE("Markdown: definitions of terms, notes, abbreviations and links") {
  const auto check = [](const std::string& document, const Lines& found) {
    CHECK(lines("markdown", document) == found);
  };
  check("Term\n: The definition\n", {"Term", "The definition"});
  check("Term\nOther\n:   a\n    b\n:\tc\n\n    d\n\n        code\n\ne\n",
        {"Term", "Other", "a b", "c", "d", "e"});
  check("> Term\n> Other\n>\n> : a\n", {"Term", "Other", "a"});
  check("- a\n  b\n: c\n", {"a b", "c"});
  check("a\n: \n:b\n", {"a : :b"});
  CHECK(with("markdown", "A *dog*\n: a\n  b\n", {"<g id=\"1\">Hund</g>", "c"}) == "*Hund*\n: c\n");
  check("[^1]: a\n    b\n\n    c\n\n        code\n\n[^2]:\n    d\n[^3]: e\nf\n",
        {"a b", "c", "d", "e f"});
  check("[^1] a [b]: c\n", {"<ph id=\"1\"/> a [b]: c"});
  check("*[HTML]: a b\n*[W3C]: c\n", {"a b", "c"});
  // Only what is a definition of a link stays, and makes links of its name.
  check("[a]: b\n[c d]: <e f> \"g\"\n[h]:\n  i 'j'\nk [a] [C D] [h]\n",
        {"k <g id=\"1\">a</g> <g id=\"2\">C D</g> <g id=\"3\">h</g>"});
  check("a\n[x]: y\nb [x]\n", {"a [x]: y b [x]"});
  check("[Note]: this is text\n", {"[Note]: this is text"});
  check("[a][b]: c\n", {"[a][b]: c"});
  check("* [a][]: b c\n* <https://d.org/>\n* <e@f.org>\n* g\n\n[a]: h\n",
        {"<g id=\"1\">a</g>: b c", "g"});
  check("```\n[a]: b\n```\n[a]\n", {"[a]"});
  check("> [a]: b\n\n[a]\n", {"<g id=\"1\">a</g>"});
}

TEST_CASE("Markdown: admonitions and directives") {
  const auto check = [](const std::string& document, const Lines& found) {
    CHECK(lines("markdown", document) == found);
  };
  check("!!! note\n    The dog\n    sleeps.\n\n    a\n\n        code\n\nb\n",
        {"The dog sleeps.", "a", "b"});
  check("a\n??? big note \"A *cat*\"\n\n    - b\n", {"a", "A <g id=\"1\">cat</g>", "b"});
  check("=== \"C\"\n\n    a\n\n=== \"D\"\n\n    b\n", {"C", "a", "D", "b"});
  check("!!! Attention, dogs!\n", {"!!! Attention, dogs!"});
  check("!!! no body\n\na\n", {"!!! no body", "a"});
  check("!!! note\na\n\n???+ tip  \n", {"a"});  // of one small word that is nothing but a mark
  check("!!! Attention\n\n???\n", {"!!! Attention"});
  CHECK(with("markdown", "!!! note \"a\"\n    b\n", {"c \"d\"", "e"}) ==
        "!!! note \"c \"d\"\"\n    e\n");
  check("a\n{: .b}\n\n{% note %}\nc\n{% endnote %}\n{{< d >}}\ne\n", {"a", "c", "e"});
  check("[TOC]\n\na\n[[_TOC_]]\n", {"a"});
  check("{% a %}b{% c %}\n{{ d }}\n", {"<ph id=\"1\"/>b<ph id=\"2\"/> <ph id=\"3\"/>"});
}

TEST_CASE("Markdown: a translation means no more than its text") {
  for (const char* line :
       {"# b",   "- b",     "+ b",     "> b",    "1. b",  "12) b",       "=== b",
        "~~~ b", "* b",     ": b",     "| b |",  "!!! b", "??? b \"c\"", "=== \"b\"",
        "{: b}", "[^b]: c", "*[b]: c", "[b]: c", "::: b", "[TOC]"}) {
    const std::string text = with("markdown", "a\n", {line});
    CHECK(lines("markdown", text) == Lines{line});
  }
  for (const char* line : {"*b*", "`b`", "[b](c)", "_b_", "x_y", "~~b~~", "a*b", "b \\\\*",
                           "[b]: c", "&amp;amp;", "&lt;b>", "[b][c]"}) {
    const std::string text = with("markdown", "a b\n", {line});
    CHECK(lines("markdown", text) == Lines{line});
  }
  CHECK(with("markdown", "a\n", {"b\\n\\n# c"}) == "b # c\n");
  CHECK(with("markdown", "|a|b|\n|-|-|\n", {"c|d", "e"}) == "|c\\|d|e|\n|-|-|\n");
  CHECK(with("markdown", "a [b][c] [b]\n\n[b]: x\n[c]: y\n",
             {"d <g id=\"1\">e</g> <g id=\"2\">f</g>"}) == "d [e][c] [f][b]\n\n[b]: x\n[c]: y\n");
}

TEST_CASE("Markdown: a translation is broken into lines, none of which begins a block") {
  std::string text = "> - a\n>   b\n", line;
  for (int i = 0; i < 60; ++i) line += "1. - word # ";
  line.pop_back();
  const std::string translated = with("markdown", text, {line});
  CHECK(translated.size() > line.size() + 12);
  CHECK(lines("markdown", translated) == Lines{line});
}

TEST_CASE("Markdown: translations of any signs mean no more than their text") {
  const Lines documents{"a dog\n",
                        "- a dog\n\n  b\n",
                        "> 1. a dog\n>    sleeps\n",
                        "# a dog #\n",
                        "a dog\n---\n",
                        "| a dog | b |\n|---|---|\n",
                        "!!! note \"a dog\"\n    b\n",
                        "[^1]: a dog\n\n[b]: c\n",
                        "a **b** dog `c` [d](e)\n",
                        "| a **b** dog `c` [d](e) |\n|-|\n",
                        "a **b** dog http://c.d [d](e)\n"};
  const Lines words{"*", "_", "[", "]",      "(", ")",    "<", ">",      "&", "\\\\",
                    "!", "#", "|", "~",      "`", "Hund", "b", "\u72ac", "1", ".",
                    " ", " ", " ", "\u201e", "-", "+",    ":", "="};
  Random random(1);
  for (int round = 0; round < 10000; ++round) {
    const std::string& document =
        documents[random.below(static_cast<std::uint32_t>(documents.size()))];
    Lines others = lines("markdown", document);
    const bool marked = others[0].find("<g") != std::string::npos;
    std::string text = "x";
    for (std::size_t i = random.below(12); i-- > 0;)
      text += words[random.below(static_cast<std::uint32_t>(words.size()))];
    std::string shown;
    for (const char c : text) shown += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
    others[0] = marked ? shown + "<g id=\"1\">y" + shown + "</g>" + shown + "<ph id=\"1\"/>" +
                             shown + "<g id=\"2\">" + shown + "</g>" + shown
                       : shown.substr(random.below(2)) + " z";
    const Merged result = merged("markdown", document, others);
    INFO(document << "\n" << others[0] << "\n" << result.text);
    CHECK(result.problems == Lines{});
    const Lines read = lines("markdown", result.text);
    REQUIRE(read.size() == others.size());
    // Spaces at the ends of emphasis stand outside of it.
    const auto without_spaces = [](std::string line) { return std::erase(line, ' '), line; };
    CHECK(without_spaces(read[0]) == without_spaces(others[0]));
  }
}

TEST_CASE("SRT: lines of a cue are one text, and times stay") {
  const std::string film =
      "1\r\n00:00:01,000 --> 00:00:02,000\r\nA  dog\r\nbarks.\r\n\r\n"
      "2\r\n00:00:03,000 --> 00:00:04,000 X1:0\r\n- B\r\nc  \r\n- {\\an8}D\r\n";
  CHECK(lines("srt", film) == Lines{"A dog barks.", "B c", "D"});
  CHECK(with("srt", film, {"Ein sehr großer Hund bellt.", "b c", "d"}) ==
        "1\r\n00:00:01,000 --> 00:00:02,000\r\nEin sehr großer\r\nHund bellt.\r\n\r\n"
        "2\r\n00:00:03,000 --> 00:00:04,000 X1:0\r\n- b\r\nc  \r\n- {\\an8}d\r\n");
  CHECK(with("srt", "1\n00:00:01,000 --> 00:00:02,000\na\nb\n", {"abcdefgh - ijkl"})
            .ends_with("\nabcdefgh -\nijkl\n"));
  CHECK(with("srt", "1\n00:00:01,000 --> 00:00:02,000\na\nb\n", {"ich <3 dich"})
            .ends_with("\nich <3\ndich\n"));
  CHECK(with("srt", "1\n00:00:01,000 --> 00:00:02,000\na <font b=c d=e>\nb</font>\n",
             {"a <font b=c d=e>f</font> g"})
            .ends_with("\na <font b=c d=e>f</font>\ng\n"));
  CHECK(with("srt", "1\n00:00:01,000 --> 00:00:02,000\na\nb\n", {"a <b cd"})
            .ends_with("\na <b\ncd\n"));
  CHECK(lines("srt", "1\n00:00:01,000 --> 00:00:02,000\n–a\n-5 b\n") == Lines{"a -5 b"});
  CHECK(lines("srt",
              "\xEF\xBB\xBF"
              "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}a\n\nb\n") == Lines{"a", "b"});
  CHECK(lines("srt", "1\n00:00:01,000 --> 00:00:02,000\na\n2\n00:00:03,000 --> 00:00:04,000\nb") ==
        Lines{"a", "b"});
}

TEST_CASE("SRT and WebVTT: a mark that nothing closes is reported, and drops no text") {
  for (const auto& [format, text, mark] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"srt", "{\\an8 Hello dogs", "{\\an8"},
           {"srt", "{\\an8 Hello {\\i1}dogs", "{\\an8"},
           {"srt", "- {\\an8 Hello", "{\\an8"},
           {"srt", "{\\an8}{\\i1", "{\\i1"},
           {"srt", "{\\an8" + std::string(70, '.') + "\u00e4\u00e4\u00e4b Hello",
            "{\\an8" + std::string(70, '.') + "\u00e4\u00e4..."},
           {"vtt", "<v Ann Hello dogs", "<v"},
           {"vtt", "<v Ann\nHello <i>dogs</i>", "<v"},
           {"vtt", "<v.x Ann Hello</v>", "<v.x"}}) {
    INFO(text);
    const std::string film = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n" + text +
                             "\n\n00:00:03.000 --> 00:00:04.000\nb\n";
    const Extracted result = extracted(format, format == "srt" ? film.substr(8) : film);
    CHECK(result.lines == Lines{"b"});
    CHECK(result.problems ==
          Lines{"doc:" + std::string(format == "srt" ? "2" : "4") + ": nothing closes " + mark +
                " of this cue, which stays as it is"});
  }
}

TEST_CASE("SRT: a translation must have the tags of its text") {
  const std::string film = "1\n00:00:01,000 --> 00:00:02,000\nA <i>dog</i>\n";
  CHECK(merged("srt", film, {"Ein Hund"}).problems ==
        Lines{"doc:3: translation 1 lacks <i>; the text stays as it is"});
  CHECK(with("srt", film, {"<i>Ein</i> Hund"}).ends_with("\n<i>Ein</i> Hund\n"));
  const std::string marked = "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}A {\\i1}dog{\\i0} b\n";
  CHECK(lines("srt", marked) == Lines{"A {\\\\i1}dog{\\\\i0} b"});
  CHECK(merged("srt", marked, {"Ein {\\\\i1}Hund b"}).problems ==
        Lines{"doc:3: translation 1 lacks {\\i0}; the text stays as it is"});
  CHECK(
      merged("srt", marked, {"Ein {\\\\i1}{\\\\b1}Hund{\\\\i0}"}).problems ==
      Lines{"doc:3: translation 1 has {\\b1} where the text has none, or fewer; the text stays as "
            "it is"});
  CHECK(
      with("srt", marked, {"{\\i1}Ein{\\\\i0} Hund"}).ends_with("\n{\\an8}{\\i1}Ein{\\i0} Hund\n"));
}

TEST_CASE("SRT and WebVTT: marks around a text are not in its line") {
  const auto check = [](const std::string& format, const std::string& text, const Lines& found,
                        const Lines& back, const std::string& written) {
    INFO(text);
    const std::string head = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n";
    const std::string times = format == "srt" ? head.substr(8) : head;
    CHECK(lines(format, times + text + "\n") == found);
    CHECK(with(format, times + text + "\n", back) == times + written + "\n");
  };
  check("srt", "{\\i1}A dog runs.{\\i0}", {"A dog runs."}, {"Ein Hund."}, "{\\i1}Ein Hund.{\\i0}");
  check("srt", "{\\an8} {\\i1}{\\b1}A dog\nruns. {\\i0} {\\b0}", {"A dog runs."},
        {"Ein Hund läuft."}, "{\\an8} {\\i1}{\\b1}Ein Hund\nläuft. {\\i0} {\\b0}");
  check("srt", "{\\i1}- A dog.{\\i0}\n{\\i1}- A {\\b1}cat{\\i0}", {"A dog.", "A {\\\\b1}cat"},
        {"Hund.", "{\\\\b1}Katze"}, "{\\i1}- Hund.{\\i0}\n{\\i1}- {\\b1}Katze{\\i0}");
  check("srt", "{\\i1}\u266a{\\i0}", {}, {}, "{\\i1}\u266a{\\i0}");
  check("srt", "A {dog} {\\b0}", {"A {dog}"}, {"{Hund}"}, "{Hund} {\\b0}");
  check("vtt", "<v Ann>{\\i1}A dog{\\i0}</v>{\\b0}", {"A dog"}, {"Hund"},
        "<v Ann>{\\i1}Hund{\\i0}</v>{\\b0}");
}

TEST_CASE("SRT: what is no cue stays, and is reported") {
  const Extracted result = extracted(
      "srt", "1\n00:00:01,000 -> 00:00:02,000\na\n\n2\n00:00:03,000 --> 00:00:04,000\nb\n");
  CHECK(result.lines == Lines{"b"});
  REQUIRE(result.problems.size() == 1);
  CHECK(result.problems[0].starts_with("doc:1: no cue"));
  CHECK_THROWS_WITH(extracted("srt", "a\n\nb\n"), Contains("this is no SRT"));
}

TEST_CASE("WebVTT: notes, styles and settings stay") {
  const std::string film =
      "WEBVTT - x\nKind: y\n\nNOTE\nz\n\nSTYLE\n::cue { a: b }\n\n"
      "id\n00:01.000 --> 00:02.000 align:left\n<v Ann>A &amp; <i>b\nc</i>\n<v.x Bob>D</v>\n\n"
      "00:03.000 --> 00:04.000\ne <00:03.500>f\n";
  CHECK(lines("vtt", film) == Lines{"A &amp; <i>b c</i>", "D", "e <ph id=\"1\"/>f"});
  CHECK(with("vtt", film, {"x <i>y</i> &lt;--> z", "Q\\n\\nR", "g <ph id=\"1\"/>h"})
            .find("<v Ann>x <i>y</i>\n&lt;--&gt; z\n<v.x Bob>Q R</v>\n") != std::string::npos);
  const std::string colours =
      "WEBVTT\n\n00:01.000 --> 00:02.000\n- <c.red.big>a</c> b <lang en>c</lang>\n";
  CHECK(lines("vtt", colours) == Lines{"<c class=\"red big\">a</c> b <lang en>c</lang>"});
  CHECK(with("vtt", colours, {"<lang en>d</lang> e <c class=\"red big\">f</c>"})
            .ends_with("\n- <lang en>d</lang> e <c.red.big>f</c>\n"));
  CHECK(lines("vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\na <c b\n") == Lines{"a &lt;c b"});
  // Times end the header without an empty line, too.
  for (const char* head :
       {"WEBVTT\n", "WEBVTT\nKind: captions\nLanguage: en\n", "WEBVTT - x\nid\n"}) {
    const std::string near = head + std::string(
                                        "00:01.000 --> 00:02.000\nHello dogs\n\n"
                                        "00:02.000 --> 00:03.000\nb\n");
    CHECK(lines("vtt", near) == Lines{"Hello dogs", "b"});
  }
  const Extracted lost = extracted("vtt", "WEBVTT\nLost dogs\n\n00:02.000 --> 00:03.000\nb\n");
  CHECK(lost.lines == Lines{"b"});
  CHECK(lost.problems == Lines{"doc:2: text in the header, before all cues; it stays as it is"});
  CHECK_THROWS_WITH(extracted("vtt", "00:01.000 --> 00:02.000\na\n"), Contains("not WEBVTT"));
}

}  // namespace tt::document
