// Documents of records: XLIFF, TMX and tables, and what catalogues share with them.
#include "tests/checked_document.h"

namespace tt::document {

TEST_CASE("a translation that is its text is left out of documents that have both, and counted") {
  const auto check = [](const std::string& format, const std::string& document, const Lines& lines,
                        const std::string& reviewed) {
    INFO(format);
    const Settings settings{.from = "en", .to = "de", .accelerator = "_"};
    const Merged left = merged(format, document, lines, settings);
    CHECK(left.text == document);
    CHECK(left.left_out == 1);
    Settings taking = settings;
    taking.reviewed = true;
    const Merged taken = merged(format, document, lines, taking);
    CHECK(taken.left_out == 0);
    CHECK(taken.text.find(reviewed) != std::string::npos);
    CHECK(taken.problems == Lines{});
  };
  check("po", "msgid \"Debian\"\nmsgstr \"\"\n", {"Debian"}, "msgstr \"Debian\"\n");
  check("po", "msgid \"Sa_ve\\n\"\nmsgstr \"\"\n", {"Save"}, "msgstr \"Sa_ve\\n\"\n");
  check("po", "#, fuzzy\nmsgctxt \"x\"\nmsgid \"_OK\"\nmsgstr \"\"\n", {"_OK"}, "msgstr \"_OK\"\n");
  check("po",
        "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=n!=1;\\n\"\n\n"
        "msgid \"%d MB\"\nmsgid_plural \"%d MB\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n",
        {"%d MB", "%d MB"}, "msgstr[0] \"%d MB\"\nmsgstr[1] \"%d MB\"\n");
  check("xliff",
        "<xliff version=\"1.2\"><file target-language=\"de\"><body>\n"
        "<trans-unit><source>A <g id=\"1\">B</g></source></trans-unit></body></file></xliff>",
        {"A <g id=\"1\">B</g>"}, "<target state=\"translated\">A <g id=\"1\">B</g></target>");
  check("tmx",
        "<tmx version=\"1.4\"><header srclang=\"en\"/><body><tu><tuv "
        "xml:lang=\"en\"><seg>A&amp;B</seg></tuv></tu></body></tmx>",
        {"A&amp;B"}, "<tuv xml:lang=\"de\"><seg>A&amp;B</seg></tuv>");
  const std::string plural =
      "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=n!=1;\\n\"\n\n"
      "msgid \"one\"\nmsgid_plural \"many\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n";
  const Merged half = merged("po", plural, {"one", "viele"});
  CHECK(half.left_out == 0);
  CHECK(half.text.ends_with("msgstr[0] \"one\"\nmsgstr[1] \"viele\"\n"));
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
  const std::string approved =
      "<xliff version='1.2'><file target-language='de'><body><trans-unit id='1' approved='yes'>"
      "<source>a</source><target state='new'/></trans-unit></body></file></xliff>";
  CHECK(with("xliff", approved, {"b"}).find("approved=\"no\"") != std::string::npos);
  CHECK(with("xliff", approved, {"b"}, {.all = true}).find("approved='yes'") == std::string::npos);
  CHECK(with("xliff", approved, {"b"}, {.reviewed = true}).find("approved='yes'") !=
        std::string::npos);
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

TEST_CASE("XLIFF: what its tags keep from translation is one placeholder") {
  const auto units = [](const std::string& inside) {
    return "<xliff version=\"2.1\" trgLang=\"de\" xmlns:its=\"http://www.w3.org/2005/11/its\">"
           "<file>" +
           inside + "</file></xliff>";
  };
  const auto texts = [&](const std::string& source, const std::string& of = "") {
    const std::string document =
        units("<unit" + of + "><segment><source>" + source + "</source></segment></unit>");
    const Lines found = lines("xliff", document);
    // Behind the text, or where one is translated that is not otherwise, in that.
    const auto changed = [&](std::string text) {
      return text.insert(of.empty() ? text.size() : text.rfind("</"), "!");
    };
    if (found.size() == 1) {
      const std::string now = with("xliff", document, {changed(found[0])});
      CHECK(now.find("<target>" + changed(source) + "</target>") != now.npos);
    }
    return found;
  };
  const std::string no = "<sm id=\"1\" translate=\"no\"/>", end = "<em startRef=\"1\"/>";
  CHECK(texts("a " + no + "b" + end + " c") == Lines{"a <ph id=\"1\"/> c"});
  CHECK(texts("a " + no + "b <pc id=\"2\">c</pc>" + end) == Lines{"a <ph id=\"1\"/>"});
  CHECK(texts("a <mrk id=\"1\" translate=\"no\">b <ph id=\"2\"/></mrk>") ==
        Lines{"a <ph id=\"1\"/>"});
  CHECK(texts("a <mrk id=\"1\" type=\"its:any\" its:translate=\"no\">b</mrk>") ==
        Lines{"a <ph id=\"1\"/>"});
  CHECK(texts(no + "b" + end).empty());
  // Stretches that overlap with elements, or others, are as many parts as they have texts.
  CHECK(texts("a <pc id=\"2\">" + no + "b</pc>c" + end + "d") ==
        Lines{"a <pc id=\"2\">" + no + "<ph id=\"1\"/></pc><ph id=\"2\"/>" + end + "d"});
  const std::string second = "<sm id=\"2\" translate=\"no\"/>", end_second = "<em startRef=\"2\"/>";
  CHECK(texts("a" + no + "b" + second + "c" + end + "d" + end_second + "e") ==
        Lines{"a" + no + "<ph id=\"1\"/>" + second + "<ph id=\"2\"/>" + end + "<ph id=\"3\"/>" +
              end_second + "e"});
  // Of what is kept a part may be translated all the same.
  const std::string yes = "<mrk id=\"3\" translate=\"yes\">";
  CHECK(texts("a <mrk id=\"1\" translate=\"no\">b " + yes + "c</mrk></mrk>") ==
        Lines{"a <mrk id=\"1\" translate=\"no\"><ph id=\"1\"/>" + yes + "c</mrk></mrk>"});
  CHECK(texts("a " + yes + "c</mrk>", " translate=\"no\"") ==
        Lines{"<ph id=\"1\"/>" + yes + "c</mrk>"});
  CHECK(texts("a", " translate=\"no\"").empty());
  CHECK(texts("a", " its:translate=\"no\"").empty());
  // A stretch may end in another segment, or in no one's.
  CHECK(lines("xliff", units("<unit><segment><source>a " + no +
                             "b</source></segment><ignorable>"
                             "<source> </source></ignorable><segment state=\"final\"><source>c"
                             "</source><target>d</target></segment><segment><source>e" +
                             end +
                             "f</source></segment></unit><unit><segment><source>g</source>"
                             "</segment></unit>")) ==
        Lines{"a " + no + "<ph id=\"1\"/>", "<ph id=\"1\"/>" + end + "f", "g"});
  CHECK(lines("xliff",
              "<xliff version=\"1.2\"><file target-language=\"de\"><body><trans-unit>"
              "<source>a <mrk mtype=\"protected\">b</mrk> <mrk "
              "mtype=\"x-its-translate-no\">c</mrk></source><target><mrk "
              "mtype=\"protected\"></mrk></target></trans-unit></body></file></xliff>") ==
        Lines{"a <ph id=\"1\"/> <ph id=\"2\"/>"});
  CHECK(lines("xliff",
              "<xliff version=\"1.2\"><file target-language=\"de\"><body><trans-unit>"
              "<source>a</source><target><mrk mtype=\"protected\">b</mrk></target>"
              "</trans-unit></body></file></xliff>")
            .empty());
}

TEST_CASE("XLIFF and TMX: texts within code are texts of their own") {
  const auto unit = [](const std::string& inside) {
    return "<xliff version=\"1.2\"><file target-language=\"de\"><body><trans-unit>" + inside +
           "</trans-unit></body></file></xliff>";
  };
  const auto target = [&](const std::string& source, const Lines& german) {
    const Merged now = merged("xliff", unit("<source>" + source + "</source>"), german);
    const std::size_t at = now.text.find("<target");
    if (at == now.text.npos) return std::string();
    const std::size_t begin = now.text.find('>', at) + 1;
    return now.text.substr(begin, now.text.find("</target>") - begin);
  };
  const std::string image = "<ph id=\"1\">&lt;img alt=\"<sub>b <g id=\"2\">c</g></sub>\"></ph>",
                    german =
                        "<ph id=\"1\">&lt;img alt=\"<sub><g id=\"2\">d</g> &amp; e</sub>\"></ph>";
  CHECK(lines("xliff", unit("<source>a " + image + "</source>")) ==
        Lines{"b <g id=\"2\">c</g>", "a <ph id=\"1\"/>"});
  CHECK(target("a " + image, {"<g id=\"2\">d</g> &amp; e", "<ph id=\"1\"/> f"}) == german + " f");
  CHECK(target(image, {"<g id=\"2\">d</g> & e"}) == german);
  CHECK(target("a " + image, {"<g id=\"2\">d</g> & e", "a <ph id=\"1\"/>"}) == "a " + german);
  CHECK(target("a " + image, {"b <g id=\"2\">c</g>", "<ph id=\"1\"/> f"}) == image + " f");
  CHECK(target("a " + image, {"<g id=\"2\">d</g> & e", "f"}).empty());  // lacks <ph>
  CHECK(target("a <bpt id=\"1\"><sub>b</sub></bpt>c<ept id=\"1\">/</ept>",
               {"d", "e <g id=\"1\">f</g>"}) ==
        "e <bpt id=\"1\"><sub>d</sub></bpt>f<ept id=\"1\">/</ept>");
  CHECK(lines("xliff", unit("<source>a <mrk mtype=\"protected\">" + image + "</mrk></source>")) ==
        Lines{"a <ph id=\"1\"/>"});
  CHECK(lines("xliff", unit("<source>a " + image + "</source><target>b</target>")).empty());
  CHECK(lines("tmx",
              "<tmx version=\"1.4\"><header srclang=\"en\"/><body><tu><tuv xml:lang=\"en\">"
              "<seg>a <it pos=\"begin\"><sub>b</sub></it></seg></tuv></tu></body></tmx>",
              {.to = "de"}) == Lines{"b", "a <ph id=\"1\"/>"});
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
        head + english +
            "\n <tuv xml:lang=\"de\" creationid=\"MT!\"><seg>b <ph>x</ph></seg></tuv>" + tail);
  const std::string both = english + "<tuv lang=\"de-AT\"><seg>c</seg></tuv>";
  CHECK(lines("tmx", head + both + tail, german) == Lines{});
  CHECK(with("tmx", head + both + tail, {"d <ph id=\"1\"/>"}, {.to = "de", .all = true}) ==
        head + english + "<tuv lang=\"de-AT\" creationid=\"MT!\"><seg>d <ph>x</ph></seg></tuv>" +
            tail);
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

TEST_CASE("CSV: rows that are not as the first are reported") {
  const Settings name{.columns = {"name"}};
  const std::string many =
      "; another number in 2 rows, the first of them here; is a delimiter not in quotes?";
  CHECK(extracted("csv", "id,name\n0,cat\n1,the dog, big and red\n2,a,\n", name).problems ==
        Lines{"doc:3: 3 fields, where the first row has 2" + many});
  CHECK(extracted("csv", "1,the dog, big\n2,cat\n3,cow\n", {.columns = {"2"}}).problems ==
        Lines{"doc:2: 2 fields, where the first row has 3" + many});
  CHECK_THROWS_WITH(
      extracted("csv", "name,id,name\na,1,b\n", name),
      "doc:1: several columns of the first row are named \"name\"; give their numbers");
  CHECK(lines("csv", "name,id,name\na,1,b\n", {.columns = {"1", "3"}, .header = true}) ==
        Lines{"a", "b"});
  // A number is that of a column, also where a field of the first row is one.
  CHECK(lines("csv", "2,dog\n", {.columns = {"2"}}) == Lines{"dog"});
  CHECK(lines("csv", "2024,2025\na,b\n", {.columns = {"2025"}, .header = true}) == Lines{"b"});
}

TEST_CASE("CSV: lines that end with CR alone are refused, and a few CRs reported") {
  for (const char* table : {"id,name\r1,dog\r2,cat\r", "id,\"name\"\r1,\"a\nb\"\r",
                            "id,\"na\"\"me\"\r1,\"a\nb\"\r2,\"\n\"", "id,a\rb\rc\n"})
    CHECK_THROWS_WITH(extracted("csv", table, {.columns = {"2"}}),
                      "doc:1: its lines end with CR alone, as on old Macs; convert it by: tr "
                      "'\\r' '\\n'");
  const std::string few = "id,name\r\n1,cat\rdog\r\n2,\"a\rb\rc\rd\"\r\n3,5\" pipe\r\n";
  const Extracted stray = extracted("csv", few, {.columns = {"name"}});
  CHECK(stray.lines == Lines{"cat\\rdog", "a\\rb\\rc\\rd", "5\" pipe"});
  CHECK(stray.problems ==
        Lines{"doc:2: 1 carriage return without a line feed, the first of them "
              "here, where no line ends; if one should, put a line feed in its place"});
  CHECK(merged("csv", few, {"x", "y", "z"}, {.columns = {"name"}}).text ==
        "id,name\r\n1,x\r\n2,\"y\"\r\n3,z\r\n");
  CHECK(lines("csv", "1,\"a\rb\"\r\n", {.columns = {"2"}}) == Lines{"a\\rb"});
}

TEST_CASE("CSV and PO: a translation must have the tags of its text, where these are tags") {
  const auto refused = [](const std::string& text, const std::string& line) {
    const Merged result = merged("csv", "\"" + text + "\"\n", {line}, {.columns = {"1"}});
    const Merged message = merged("po", "msgid \"" + text + "\"\nmsgstr \"\"\n", {line});
    INFO(text);
    CHECK(result.problems == message.problems);
    CHECK((result.text == "\"" + text + "\"\n") == !result.problems.empty());
    if (result.problems.empty()) return std::string();
    CHECK(result.problems[0].starts_with("doc:1: translation 1 "));
    CHECK(result.problems[0].ends_with("; the text stays as it is"));
    return result.problems[0].substr(21, result.problems[0].find(';') - 21);
  };
  CHECK(refused("A <b>dog</b>", "Ein Hund") == "lacks <b>");
  CHECK(refused("A <b>dog</b>", "Ein <b>Hund") == "lacks </b>");
  CHECK(refused("A <b>dog</b>", "Ein <i>Hund</i>") == "has <i> where the text has none, or fewer");
  CHECK(refused("A dog", "Ein <b>Hund</b>") == "has <b> where the text has none, or fewer");
  CHECK(refused("A <b>dog</b>", "Ein </b>Hund<b>") == "has tags that are not nested");
  CHECK(refused("A<br>dog", "Ein Hund") == "lacks <br>");
  CHECK(refused("A <img src='x'> dog", "Ein Hund") == "lacks <img>");
  CHECK(refused("A <x/> dog", "Ein Hund") == "lacks <x/>");
  CHECK(refused("A <mine>dog</mine>", "Ein Hund") == "lacks <mine>");
  CHECK(refused("A <b>dog</b> and <i>cat</i>", "<i>Katze</i> und <b>Hund</b>") == "");
  CHECK(refused("A <a href='en' title='x'>dog</a>", "Ein <a href='de' title='y'>Hund</a>") == "");
  CHECK(refused("use <file> or <n> <a@b.org>", "nimm <Datei> oder <n>") == "");
  CHECK(refused("A dog", "Hund <?>, <!> und <? > und <!1>") == "");
  CHECK(refused("A <?> dog", "Hund") == "");
  CHECK(refused("A <?php x ?> dog", "Hund") == "lacks <?php>");
  CHECK(refused("A <!-- x --> dog", "Hund") == "lacks <!-->");
  CHECK(refused("A dog", "<![CDATA[Hund]]>") ==
        "has <![CDATA[Hund]]> where the text has none, or fewer");
  CHECK(refused("a < b > c, I <3 it", "a < b, das <3 ich") == "");
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
