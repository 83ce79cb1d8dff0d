// Documents of records: catalogues of messages, XLIFF, TMX and tables.
#include "base/error.h"
#include "document/directives.h"
#include "document/plural_forms.h"
#include "document/po_entry.h"
#include "tests/catch.h"
#include "tests/document.h"

namespace tt::document {
namespace {

using Lines = std::vector<std::string>;

Lines lines(const std::string& format, const std::string& document, const Settings& settings = {}) {
  const Extracted result = extracted(format, document, settings);
  INFO(document);
  CHECK(result.problems == Lines{});
  CHECK(merged(format, document, result.lines, settings).text == document);
  return result.lines;
}

std::string with(const std::string& format, const std::string& document, const Lines& lines,
                 const Settings& settings = {}) {
  const Merged result = merged(format, document, lines, settings);
  INFO(document);
  CHECK(result.problems == Lines{});
  return result.text;
}

}  // namespace

TEST_CASE("PO: messages without a translation are texts") {
  CHECK(
      lines("po",
            "msgid \"\"\nmsgstr \"a: b\\n\"\n\n# c\nmsgctxt \"d\"\nmsgid \"e\"\nmsgstr \"\"\n\n"
            "msgid \"f\"\nmsgstr \"g\"\n\n#, fuzzy\nmsgid \"h\"\nmsgstr \"i\"\n\n"
            "msgid \"\"\n\"j\\n\"\n\"k \\\"l\\\" \\x41\\101\\\\\"\nmsgstr \"\"\n\n#~ msgid \"m\"\n"
            "#~ msgstr \"\"\n\nmsgid \"%\"\nmsgstr \"\"\n") == Lines{"e", "j\\nk \"l\" AA\\\\"});
  CHECK(lines("po", "msgid \"f\"\nmsgstr \"g\"\n", {.all = true}) == Lines{"f"});
}

TEST_CASE("PO: a translation is fuzzy unless it is reviewed") {
  CHECK(with("po", "# a\nmsgid \"b\"\nmsgstr \"\"\n", {"c"}) ==
        "# a\n#, fuzzy\nmsgid \"b\"\nmsgstr \"c\"\n");
  CHECK(with("po", "#: x\n#, c-format\n#| msgid \"y\"\nmsgctxt \"z\"\nmsgid \"b\"\nmsgstr \"\"\n",
             {"c"}) == "#: x\n#, fuzzy, c-format\nmsgctxt \"z\"\nmsgid \"b\"\nmsgstr \"c\"\n");
  const std::string fuzzy = "#, fuzzy\n#, c-format\n#| msgid \"y\"\nmsgid \"b\"\nmsgstr \"d\"\n";
  CHECK(with("po", fuzzy, {}) == fuzzy);
  CHECK(with("po", fuzzy, {"c"}, {.all = true}) ==
        "#, fuzzy\n#, c-format\nmsgid \"b\"\nmsgstr \"c\"\n");
  CHECK(with("po", fuzzy, {"c"}, {.all = true, .reviewed = true}) ==
        "#, c-format\nmsgid \"b\"\nmsgstr \"c\"\n");
  CHECK(with("po", "#, c-format\r\nmsgid \"b\"\r\nmsgstr \"\"\r\n", {"c"}) ==
        "#, fuzzy, c-format\r\nmsgid \"b\"\r\nmsgstr \"c\"\r\n");
  CHECK(with("po", "msgid \"b\"\nmsgstr \"\"\n", {"c"}, {.reviewed = true}) ==
        "msgid \"b\"\nmsgstr \"c\"\n");
}

TEST_CASE("PO: plural forms are as many as the header says") {
  const std::string message =
      "#, c-format\nmsgid \"%d a\"\nmsgid_plural \"%d b\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n";
  const auto forms = [&](const std::string& header, const Lines& lines) {
    const std::string head = "msgid \"\"\nmsgstr \"Plural-Forms: " + header + "\\n\"\n\n";
    const std::string text = with("po", head + message, lines, {.reviewed = true});
    return text.substr(text.find("msgstr[0]"));
  };
  CHECK(lines("po", message) == Lines{"%d a", "%d b"});
  CHECK(forms("nplurals=2; plural=n != 1;", {"%d c", "%d d"}) ==
        "msgstr[0] \"%d c\"\nmsgstr[1] \"%d d\"\n");
  CHECK(forms("nplurals=1; plural=0;", {"%d c", "%d d"}) == "msgstr[0] \"%d d\"\n");
  CHECK(forms("nplurals=3; plural=n==0 ? 0 : n==1 ? 1 : 2;", {"%d c", "%d d"}) ==
        "msgstr[0] \"%d d\"\nmsgstr[1] \"%d c\"\nmsgstr[2] \"%d d\"\n");
  CHECK(forms("nplurals=2; plural=n != 1;", {"%d a", "%d d"}) ==
        "msgstr[0] \"%d a\"\nmsgstr[1] \"%d d\"\n");
  // In Russian the form of 1 is that of 21, too, which has no number in the English one.
  const std::string one =
      "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=n%10 != 1;\\n\"\n\n#, c-format\n"
      "msgid \"one a\"\nmsgid_plural \"%d b\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n";
  CHECK(with("po", one, {"ein c", "%d d"}).ends_with("msgstr[0] \"%d d\"\nmsgstr[1] \"%d d\"\n"));
  CHECK_THROWS_WITH(forms("nplurals=2; plural=m;", {}), StartsWith("doc:1: Plural-Forms is"));
}

TEST_CASE("plural forms are expressions of C") {
  const PluralForms russian(
      "nplurals=3; plural=n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || "
      "n%100>=20) ? 1 : 2;",
      "x");
  CHECK(russian.forms() == 3);
  for (const auto& [n, form] : std::vector<std::pair<unsigned long, std::size_t>>{
           {1, 0}, {2, 1}, {5, 2}, {11, 2}, {12, 2}, {21, 0}, {22, 1}, {111, 2}})
    CHECK(russian.form(n) == form);
  CHECK(!russian.only_one(0));
  CHECK(PluralForms("nplurals=2; plural=(n != 1)", "x").only_one(0));
  CHECK(PluralForms("nplurals = 2 ; plural = !(n==1)", "x").form(1) == 0);
  CHECK(PluralForms("nplurals=9; plural=1+2*3-n/5%5+0;", "x").form(7) == 6);
  for (const char* wrong :
       {"", "nplurals=2;", "plural=n;", "nplurals=2; plural=n", "nplurals=2; plural=n=1;",
        "nplurals=2; plural=(n!=1;", "nplurals=2; plural=1/0;", "nplurals=0; plural=0;",
        "nplurals=2; plural=n!=1 ? 1;", "nplurals=2; plural=n!=1 2;"})
    CHECK_THROWS_AS(PluralForms(wrong, "x"), Error);
  CHECK_THROWS_AS(PluralForms("nplurals=2; plural=" + std::string(100000, '(') + "0;", "x"), Error);
  CHECK_THROWS_AS(PluralForms("nplurals=2; plural=" + std::string(100000, '!') + "0;", "x"), Error);
}

TEST_CASE("PO: the key of a menu stands before its letter") {
  const auto key = [](const std::string& id, const std::string& line, const std::string& marker) {
    const std::string text = with("po", "msgid \"" + id + "\"\nmsgstr \"\"\n", {line},
                                  {.accelerator = marker, .reviewed = true});
    return text.substr(text.find("msgstr") + 7);
  };
  CHECK(lines("po", "msgid \"Save _As\"\nmsgstr \"\"\n", {.accelerator = "_"}) == Lines{"Save As"});
  CHECK(key("_File", "Datei", "_") == "\"_Datei\"\n");
  CHECK(key("&Open", "Loop", "&") == "\"L&oop\"\n");
  CHECK(key("Save _As", "Sichern als", "_") == "\"Sichern _als\"\n");
  CHECK(key("_Done %d", "%d fertig da", "_") == "\"%d fertig _da\"\n");
  CHECK(key("_Quit", "%s <b>beenden</b>", "_") == "\"%s <b>_beenden</b>\"\n");
  CHECK(key("_Yes", "_Ja", "_") == "\"_Ja\"\n");
  CHECK(key("_Yes", "Ja_wohl", "_") == "\"Ja_wohl\"\n");
  CHECK(key("_Yes", "123", "_") == "\"_123\"\n");
  CHECK(merged("po", "msgid \"_Yes\"\nmsgstr \"\"\n", {"✓"}, {.accelerator = "_"}).problems ==
        Lines{"doc:1: the translation has no letter or digit that _ could mark; it is without the "
              "key of a menu"});
  CHECK(lines("po", "msgid \"a &amp; &b\"\nmsgstr \"\"\n", {.accelerator = "&"}) ==
        Lines{"a &amp; b"});
  CHECK(lines("po", "msgid \"a__b _ c\"\nmsgstr \"\"\n", {.accelerator = "_"}) ==
        Lines{"a__b _ c"});
  CHECK(lines("po",
              "msgid \"\"\nmsgstr \"X-Accelerator-Marker: ~\\n\"\n\nmsgid \"~F\"\nmsgstr \"\"\n") ==
        Lines{"F"});
}

TEST_CASE("PO: directives and line feeds must be those of the message") {
  const auto refused = [](const std::string& flags, const std::string& id,
                          const std::string& line) {
    const std::string document = "#, " + flags + "\nmsgid \"" + id + "\"\nmsgstr \"\"\n";
    const Merged result = merged("po", document, {line});
    CHECK((result.text == document) == !result.problems.empty());
    return result.problems.empty() ? "" : result.problems[0];
  };
  CHECK(refused("c-format", "a %s", "b %d") ==
        "doc:2: translation 1 has %d where the text has it not; the text stays as it is");
  CHECK(refused("c-format", "a %s", "b").find("lacks %s") != std::string::npos);
  CHECK(refused("c-format", "a %s %d%%", "%2$d %1$s b") == "");
  CHECK(refused("python-format, fuzzy", "%(a)s b", "%(c)s b") != "");
  CHECK(refused("no-c-format", "a %s", "b") == "");
  CHECK(refused("c-format", "a\\nb", "c d").find("another number of \\n") != std::string::npos);
  CHECK(refused("c-format", "a\\nb", "c\\nd") == "");
}

TEST_CASE("directives of every format") {
  const auto wrong = [](const char* a, const char* b, const char* format) {
    return wrong_directives(a, b, format);
  };
  CHECK(wrong("%-5.2f %*d %ld", "%.1f %*d %ld", "c-format") == "");
  CHECK(wrong("%d", "%ld", "c-format") == "has %ld where the text has it not");
  CHECK(wrong("%i", "%d", "c-format") == "");
  CHECK(wrong("%s %s", "%s", "c-format") == "lacks %s");
  CHECK(wrong("100%", "100%", "c-format") == "");
  CHECK(wrong("%<PRIu64> a", "%d a", "c-format") != "");
  CHECK(wrong("{a} {{b}}", "{{c}} {a}", "python-brace-format") == "");
  CHECK(wrong("{0} {1}", "{1}", "java-format") == "lacks {0}");
  CHECK(wrong("{0} of {1,choice,0#{2}|1#b}", "{1,choice,0#{2}|1#b}: {0}", "java-format") == "");
  CHECK(wrong("'{'0'}' it''s {0}", "{0} '{'x'}'", "java-format") == "");
  CHECK(wrong("it''s {0}", "it's {0}", "java-format") ==
        "has an open brace or apostrophe where the text has it not");
  CHECK(wrong("%1 %L2", "%L2 %1", "qt-format") == "");
  CHECK(wrong("%n a", "a", "qt-format") == "lacks %n");
  CHECK(wrong("$a ${b}", "${b} $c", "sh-format") == "has $c where the text has it not");
  CHECK(wrong("%s", "", "nosuch-format") == "");
  CHECK(count_directives("%s %% %d", "c-format") == 2);
}

TEST_CASE("PO: invalid messages stay, and are reported with their line") {
  for (const auto& [text, problem] : std::vector<std::pair<std::string, std::string>>{
           {"msgid \"a\nmsgstr \"\"\n", "doc:1: a string without its closing quote"},
           {"msgid a\nmsgstr \"\"\n", "doc:1: text behind a string"},
           {"msgid \"a\\q\"\nmsgstr \"\"\n", "doc:1: an unknown escape"},
           {"msgid \"a\"\n", "doc:1: a message without a msgstr"},
           {"msgid \"a\"\nmsgstr[0] \"\"\n", "doc:2: a second msgstr without"},
           {"msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[1] \"\"\n",
            "doc:3: another msgstr in the place of msgstr[0]"},
           {"msgid \"a\"\nmsgstr \"\"\nmsgstr \"\"\n", "doc:3: a second msgstr"},
           {"msgstr \"\"\n", "doc:1: msgstr without a msgid"},
           {"\"a\"\n", "doc:1: a string without a keyword"},
           {"hello\n", "doc:1: neither a comment"}}) {
    const Extracted result = extracted("po", text + "\n# x\nmsgid \"c\"\nmsgstr \"\"\n");
    INFO(text);
    CHECK(result.lines == Lines{"c"});
    REQUIRE(!result.problems.empty());
    CHECK(result.problems[0].starts_with(problem));
  }
  CHECK_THROWS_WITH(extracted("po", "<html>\n"), StartsWith("doc:1: neither a comment"));
  CHECK_THROWS_WITH(extracted("po", "# a\n"), Contains("no message"));
}

TEST_CASE("PO: an encoding of the header is read and written") {
  const std::string head = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=KOI8-R\\n\"\n\n";
  const std::string document = head + "msgid \"\xc1 b\"\nmsgstr \"\"\n";
  CHECK(lines("po", document) == Lines{"а b"});
  CHECK(with("po", document, {"б"}).ends_with("msgstr \"\xc2\"\n"));
  CHECK(merged("po", document, {"ü"}).problems.size() == 1);
}

TEST_CASE("strings of PO are broken as gettext does") {
  CHECK(po_string("msgstr", "a\n", true, "\n") == "msgstr \"a\\n\"");
  CHECK(po_string("msgstr", "a\nb", true, "\n") == "msgstr \"\"\n\"a\\n\"\n\"b\"");
  const std::string word(30, 'x');
  CHECK(po_string("msgstr", word + " " + word + " " + word, true, "\r\n") ==
        "msgstr \"\"\r\n\"" + word + " " + word + " \"\r\n\"" + word + "\"");
  CHECK(po_string("msgstr", word + " " + word + " " + word, false, "\n") ==
        "msgstr \"" + word + " " + word + " " + word + "\"");
  CHECK(po_string("msgstr", "", true, "\n") == "msgstr \"\"");
}

TEST_CASE("XLIFF 1.2: sources become targets") {
  const auto unit = [](const std::string& inside) {
    return "<xliff version=\"1.2\"><file target-language='de'><body><trans-unit id=\"1\">" +
           inside + "</trans-unit></body></file></xliff>";
  };
  const std::string state = " state=\"needs-review-translation\" state-qualifier=\"mt-suggestion\"";
  CHECK(lines("xliff", unit("<source>a &amp; <g id='1'>b</g>\n<x id=\"2\"/></source>")) ==
        Lines{"a &amp; <g id='1'>b</g>\\n<x id=\"2\"/>"});
  CHECK(with("xliff", unit("\n <source>a</source>\n"), {"b < c"}) ==
        unit("\n <source>a</source>\n <target" + state + ">b &lt; c</target>\n"));
  CHECK(with("xliff", unit("<source>a</source><target/>"), {"b"}, {.reviewed = true}) ==
        unit("<source>a</source><target state=\"translated\">b</target>"));
  CHECK(lines("xliff", unit("<source>a</source><target>b</target>")) == Lines{});
  CHECK(lines("xliff", unit("<source>a</source><target state=\"new\">a</target>")) == Lines{"a"});
  CHECK(lines("xliff", unit("<source>a</source><target>7</target>")) == Lines{});
  CHECK(lines("xliff", unit("<source>a</source><target><g id=\"1\"> </g></target>")) == Lines{"a"});
  CHECK(lines("xliff", unit("<source>a</source><target><ph id='1'>%s</ph></target>")) ==
        Lines{"a"});
  CHECK(lines("xliff", unit("<source>a</source><target><!-- b --></target>")) == Lines{"a"});
  const auto french = unit("<source>a</source>\n<target xml:lang=\"fr\"/>");
  CHECK(merged("xliff", french, {"b"}, {.to = "de"}).problems ==
        Lines{"doc:2: the targets are in fr, and not in de"});
  CHECK(merged("xliff", french, {"b"}, {.to = "fr-CA"}).problems ==
        Lines{"doc:1: the targets are in de, and not in fr-CA"});
  CHECK(with("xliff", unit("<source>a</source><target state='final' x=\"y\">b</target>"), {"c"},
             {.all = true}) == unit("<source>a</source><target state=\"needs-review-translation\" "
                                    "x=\"y\" state-qualifier=\"mt-suggestion\">c</target>"));
  CHECK(lines("xliff", unit("<source>a <ph id='1'>&lt;b></ph> <bpt id='2'>{</bpt>c<ept "
                            "id='2'>}</ept></source>")) ==
        Lines{"a <ph id=\"1\"/> <g id=\"1\">c</g>"});
  CHECK(lines("xliff", unit("<source>a</source><seg-source><mrk mtype='seg' mid='0'>b</mrk>"
                            "</seg-source><alt-trans><source>c</source></alt-trans>")) ==
        Lines{"<mrk mtype='seg' mid='0'>b</mrk>"});
  CHECK(lines("xliff",
              "<xliff version='1.2'><file><body><group translate='no'><trans-unit>"
              "<source>a</source></trans-unit></group></body></file></xliff>") == Lines{});
  CHECK(with("xliff", unit("<source><![CDATA[a <b> c]]></source>"), {"d &lt;b> e"})
            .find(">d &lt;b&gt; e</target>") != std::string::npos);
}

TEST_CASE("XML: an encoding that is declared is read and written") {
  const std::string head =
                        "<?xml version='1.0' encoding=\"ISO-8859-1\"?><xliff version='1.2'>"
                        "<file target-language='de'><body><trans-unit><source>caf\xe9</source>",
                    tail = "</trans-unit></body></file></xliff>";
  CHECK(lines("xliff", head + tail) == Lines{"café"});
  CHECK(with("xliff", head + tail, {"é ж"}).ends_with(">&#233; &#1078;</target>" + tail));
}

TEST_CASE("XLIFF 2: segments get targets and states") {
  const auto unit = [](const std::string& root, const std::string& inside) {
    return "<xliff version=\"2.0\" srcLang=\"en\"" + root + "><file id=\"f\"><unit id=\"u\">" +
           inside + "</unit></file></xliff>";
  };
  const std::string german = " trgLang=\"de\"";
  CHECK(
      with("xliff", unit(german, "<segment><source>a</source></segment>"), {"b"}) ==
      unit(german, "<segment state=\"translated\"><source>a</source><target>b</target></segment>"));
  CHECK(with("xliff",
             unit("",
                  "<segment state=\"initial\" subState=\"x:y\"><source>a</source>"
                  "</segment><segment><source>b</source></segment>"),
             {"c", "d"}, {.to = "de", .reviewed = true}) ==
        unit(german,
             "<segment state=\"reviewed\"><source>a</source><target>c</target></segment>"
             "<segment state=\"reviewed\"><source>b</source><target>d</target></segment>"));
  const Merged unnamed = merged("xliff", unit("", "<segment><source>a</source></segment>"), {"b"});
  CHECK(unnamed.problems == Lines{"doc:1: no trgLang names the language of the targets"});
  // Targets in another language than what is given, but of the same with its region.
  const std::string one = unit(german, "<segment><source>a</source></segment>");
  CHECK(merged("xliff", one, {"b"}, {.to = "fr"}).problems ==
        Lines{"doc:1: the targets are in de, and not in fr"});
  CHECK(merged("xliff", one, {"b"}, {.to = "DE-at"}).problems.empty());
  CHECK(merged("xliff", one, {"a"}, {.to = "fr"}).problems.empty());  // nothing is written
  for (const char* tags : {"<pc id=\"1\"></pc>", "<ph id=\"1\"/>"})
    CHECK(lines("xliff", unit(german, "<segment><source>a</source><target>" + std::string(tags) +
                                          "</target></segment>")) == Lines{"a"});
  CHECK_THROWS_WITH(extracted("xliff", "<xliff version='3.0'/>"),
                    Contains("XLIFF 3.0 is not read"));
  CHECK(lines("xliff", unit(german,
                            "<segment><source>a <pc id=\"1\">b</pc></source></segment>"
                            "<ignorable><source>c</source></ignorable><notes><note>d</note>"
                            "</notes>")) == Lines{"a <pc id=\"1\">b</pc>"});
}

TEST_CASE("XML that is not well-formed is reported, and read as far as it goes") {
  const Extracted result = extracted(
      "xliff",
      "<xliff version='1.2'><file><body><trans-unit><source>a</source></trans-unit>\n<trans-unit>"
      "<source>b</trans-unit></body></file></xliff>");
  CHECK(result.lines == Lines{"a"});
  REQUIRE(result.problems.size() == 1);
  CHECK(result.problems[0].starts_with("doc:2: not well-formed: "));
  const std::string declared =
      "<!DOCTYPE xliff [<!ENTITY name 'x'>]>\n<xliff version='1.2'><file "
      "target-language='de'><body>"
      "<trans-unit><source>a &name;</source></trans-unit></body></file></xliff>";
  CHECK(lines("xliff", declared) == Lines{"a <ph id=\"1\"/>"});
  CHECK(with("xliff", declared, {"<ph id=\"1\"/> b"}).find(">&name; b</target>") !=
        std::string::npos);
  CHECK_THROWS_WITH(extracted("xliff", "<a/>"), Contains("this is no XLIFF"));
  CHECK_THROWS_WITH(extracted("tmx", "<a/>", {.to = "de"}), Contains("this is no TMX"));
}

TEST_CASE("TMX: units get a variant of the other language") {
  const std::string head = "<tmx version=\"1.4\"><header srclang=\"en\"/><body><tu>\n ",
                    tail = "\n</tu></body></tmx>";
  const Settings german{.to = "de"};
  const std::string english = "<tuv xml:lang=\"EN-us\"><seg>a <ph>x</ph></seg></tuv>";
  CHECK(lines("tmx", head + english + tail, german) == Lines{"a <ph id=\"1\"/>"});
  CHECK(with("tmx", head + english + tail, {"b <ph id=\"1\"/>"}, german) ==
        head + english + "\n <tuv xml:lang=\"de\"><seg>b <ph>x</ph></seg></tuv>" + tail);
  const std::string both = english + "<tuv lang=\"de-AT\"><seg>c</seg></tuv>";
  CHECK(lines("tmx", head + both + tail, german) == Lines{});
  CHECK(with("tmx", head + both + tail, {"d <ph id=\"1\"/>"}, {.to = "de", .all = true}) ==
        head + english + "<tuv lang=\"de-AT\"><seg>d <ph>x</ph></seg></tuv>" + tail);
  CHECK(lines("tmx", head + both + tail, {.from = "de", .to = "fr"}) == Lines{"c"});
  CHECK_THROWS_WITH(extracted("tmx", head + english + tail, {.from = "fr", .to = "de"}),
                    "doc:1: no text in language \"fr\"; there is EN-us");
  const Extracted some = extracted(
      "tmx", head + english + "</tu>\n<tu><tuv xml:lang=\"fr\"><seg>e</seg></tuv>" + tail, german);
  CHECK(some.lines.size() == 1);
  CHECK(some.problems == Lines{"doc:3: no text in language \"en\" in this unit"});
}

TEST_CASE("CSV: fields of the columns are texts, and keep their quotes") {
  const Settings name{.columns = {"name"}}, second{.columns = {"2"}};
  const std::string table = "id,name\r\n1,\"a \"\"b\"\", c\"\r\n2,d\r\n\r\n3,\r\n4,\"e\nf\"";
  CHECK(lines("csv", table, name) == Lines{"a \"b\", c", "d", "e\\nf"});
  CHECK(with("csv", table, {"g", "h, \"i\"", "j\\nk"}, name) ==
        "id,name\r\n1,\"g\"\r\n2,\"h, \"\"i\"\"\"\r\n\r\n3,\r\n4,\"j\nk\"");
  CHECK(lines("csv", table, second)[0] == "name");
  CHECK(lines("csv", table, {.columns = {"2"}, .header = true})[0] == "a \"b\", c");
  CHECK(lines("csv", "\xEF\xBB\xBFname;x\na;b\n", {.columns = {"name", "2"}, .delimiter = ';'}) ==
        Lines{"a", "b"});
}

TEST_CASE("CSV: what is no table is reported") {
  const Settings second{.columns = {"2"}};
  CHECK_THROWS_WITH(extracted("csv", "a,b\n", {.columns = {"c"}}),
                    "doc:1: no column \"c\" in the first row: a, b");
  CHECK_THROWS_WITH(extracted("csv", "a;b\nc;d\n", second), Contains("is the delimiter \",\"?"));
  const Extracted open = extracted("csv", "a,b\nc,\"d\ne,f\n", second);
  CHECK(open.lines == Lines{"b"});
  CHECK(open.problems == Lines{"doc:2: the quote that begins this field is not closed; the text "
                               "behind it stays as it is"});
  const Extracted rows = extracted("csv", "a,b\nc\nd,\"e\"f\n", second);
  CHECK(rows.lines == Lines{"b"});
  CHECK(rows.problems.size() == 2);
}

}  // namespace tt::document
