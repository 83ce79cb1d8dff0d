// Catalogues of messages, as gettext has them.
#include "base/error.h"
#include "document/line_breaks.h"
#include "document/plural_forms.h"
#include "document/po_entry.h"
#include "tests/checked_document.h"
#include "text/placeholders.h"

namespace tt::document {

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
  CHECK(with("po", "#= c-format, fuzzy\nmsgid \"b\"\nmsgstr \"\"\n", {"c"}) ==
        "#= c-format, fuzzy\n#, fuzzy\nmsgid \"b\"\nmsgstr \"c\"\n");
  CHECK(merged("po", "#= c-format\nmsgid \"%d b\"\nmsgstr \"\"\n", {"c"}).problems.size() == 1);
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
  CHECK_THROWS_WITH(forms("nplurals=2; plural=m;", {}), StartsWith("doc:2: Plural-Forms is"));
}

TEST_CASE("PO: plural forms are read when a message has them, and reported when guessed") {
  const std::string message = "\nmsgid \"a\"\nmsgstr \"\"\n",
                    plural =
                        "\nmsgid \"%d a\"\nmsgid_plural \"%d b\"\nmsgstr[0] \"\"\n"
                        "msgstr[1] \"\"\n";
  const auto header = [](const std::string& fields) {
    return "msgid \"\"\nmsgstr \"\"\n\"Language: x\\n\"\n" + fields;
  };
  for (const char* wrong : {"3", "2", "nplurals=2", "nplurals=2; plural=m;"}) {
    const std::string bad = header("\"Plural-Forms: " + std::string(wrong) + "\\n\"\n");
    CHECK(lines("po", bad + message) == Lines{"a"});
    CHECK_THROWS_WITH(lines("po", bad + message + plural), StartsWith("doc:4: Plural-Forms is"));
  }
  const std::string guessed =
      ": the header does not say the Plural-Forms of the language; two forms are guessed, the "
      "first for 1; msginit knows those of many languages";
  for (const std::string fields : {"", "\"Plural-Forms: \\n\"\n",
                                   "\"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n\"\n"}) {
    const std::string text = header(fields) + message;
    const auto line = std::to_string(std::ranges::count(text, '\n') + 3);
    CHECK(extracted("po", text + plural + plural).problems == Lines{"doc:" + line + guessed});
    const Merged result = merged("po", text + plural + plural, {"b", "%d c", "%d d"});
    CHECK(result.problems == Lines{"doc:" + line + guessed});
    CHECK(result.text.find("msgstr[0] \"%d c\"\nmsgstr[1] \"%d d\"\n") != std::string::npos);
    CHECK(extracted("po", text).problems == Lines{});
  }
  CHECK(extracted("po", header("\"Content-Type: text/plain; charset=CHARSET\\n\"\n") + message)
            .problems == Lines{"doc:4: the encoding is CHARSET, as of a template; make a catalogue "
                               "of it by msginit, which fills in the header"});
}

TEST_CASE("PO: a plural without one of its forms is asked for, and gets that") {
  const auto merge = [](const std::string& strings, const Settings& settings = {}) {
    const std::string head =
        "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=3; plural=n==1 ? 0 : n==2 ? 1 : 2;\\n\"\n\n"
        "msgid \"a\"\nmsgid_plural \"b\"\n";
    const std::string text = with("po", head + strings, {"c", "d"}, settings);
    return text.substr(text.find("msgid_plural") + 17);
  };
  const std::string half = "msgstr[0] \"x\"\nmsgstr[1] \"\"\nmsgstr[2] \"y\" \"z\"\n";
  CHECK(merge(half) == "msgstr[0] \"x\"\nmsgstr[1] \"d\"\nmsgstr[2] \"y\" \"z\"\n");
  CHECK(merge(half, {.all = true}) == "msgstr[0] \"c\"\nmsgstr[1] \"d\"\nmsgstr[2] \"d\"\n");
  CHECK(merge("msgstr[0] \"\"\nmsgstr[1] \"x\"\nmsgstr[2] \"\"\n") ==
        "msgstr[0] \"c\"\nmsgstr[1] \"x\"\nmsgstr[2] \"d\"\n");
  CHECK(merge("msgstr[0] \"x\"\nmsgstr[1] \"y\"\n") ==
        "msgstr[0] \"x\"\nmsgstr[1] \"y\"\nmsgstr[2] \"d\"\n");
  const std::string whole = "msgstr[0] \"x\"\nmsgstr[1] \"y\"\nmsgstr[2] \"z\"\n";
  CHECK(merge(whole) == whole);
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
  CHECK(key("%s <b>_Quit</b>", "%s <b>beenden</b>", "_") == "\"%s <b>_beenden</b>\"\n");
  CHECK(key("_Yes", "_Ja", "_") == "\"_Ja\"\n");
  CHECK(key("_Yes", "Ja_wohl", "_") == "\"Ja_wohl\"\n");
  CHECK(key("_Yes", "123", "_") == "\"123(_Y)\"\n");
  CHECK(key("_File:\\n", "ファイル:", "_") == "\"ファイル(_F):\\n\"\n");
  CHECK(key("文件(_F)", "File", "_") == "\"_File\"\n");
  CHECK(key("http://x.org/a_b _Go", "http://x.org/a_b Los", "_") == "\"http://x.org/a_b _Los\"\n");
  CHECK(key("R&D &Report", "R&D-Bericht", "&") == "\"&R&D-Bericht\"\n");
  CHECK(key("a@b.org _Better", "a@b.org ist besser", "_") == "\"a@b.org ist _besser\"\n");
  CHECK(lines("po", "msgid \"a &amp; &b\"\nmsgstr \"\"\n", {.accelerator = "&"}) ==
        Lines{"a &amp; b"});
  CHECK(lines("po", "msgid \"a__b _ c\"\nmsgstr \"\"\n", {.accelerator = "_"}) ==
        Lines{"a__b _ c"});
  CHECK(lines("po",
              "msgid \"\"\nmsgstr \"X-Accelerator-Marker: ~\\n\"\n\nmsgid \"~F\"\nmsgstr \"\"\n") ==
        Lines{"F"});
}

TEST_CASE("PO: a key is marked in no directive, placeholder, tag or entity") {
  const auto key = [](const std::string& flag, const std::string& id, const std::string& line) {
    const std::string text = with("po", "#, " + flag + "\nmsgid \"" + id + "\"\nmsgstr \"\"\n",
                                  {line}, {.accelerator = "_", .reviewed = true});
    const std::size_t at = text.find("msgstr") + 8;
    return text.substr(at, text.size() - 2 - at);
  };
  CHECK(key("c-format", "%ld _done", "%ld da") == "%ld _da");
  CHECK(key("c-format", "%ld _done", "%ld fertig") == "%ld _fertig");
  CHECK(key("c-format", "%-5d _Dogs", "%-5d Hunde") == "%-5d Hun_de");
  CHECK(key("c-format", "% d _done", "% d fertig") == "% d _fertig");
  CHECK(key("c-format", "%<PRId64> _Dogs", "%<PRId64> Hunde") == "%<PRId64> Hun_de");
  CHECK(key("c-format", "%s _so", "%s") == "%s(_S)");
  CHECK(key("python-format", "%(name)s _name", "%(name)s Wort") == "%(name)s _Wort");
  CHECK(key("python-brace-format", "{name} _name", "{name} Wort") == "{name} _Wort");
  CHECK(key("python-brace-format", "{a[b]} _Able", "{a[b]} Wort") == "{a[b]} _Wort");
  CHECK(key("java-format", "{0,choice,0#ab} _Able", "{0,choice,0#ab} Wort") ==
        "{0,choice,0#ab} _Wort");
  CHECK(key("qt-format", "%L1 _Lines", "%L1 Zeilen") == "%L1 Zei_len");
  CHECK(key("sh-format", "$name _name", "$name Wort") == "$name _Wort");
  CHECK(key("fuzzy", "{name} _name", "{name} Wort") == "{name} _Wort");
  CHECK(key("fuzzy", "<b>_Bold</b>", "<b>Fett</b>") == "<b>_Fett</b>");
  CHECK(key("fuzzy", "<a id=\\\"u\\\">_Up</a>", "<a id=\"u\">hoch</a>") ==
        "<a id=\\\"u\\\">_hoch</a>");
  CHECK(key("fuzzy", "&auml;_Able", "&auml; Xyz") == "&auml; _Xyz");
}

TEST_CASE("PO: keys that are lost are reported") {
  const auto problem = [](const std::string& id, const std::string& line, const std::string& sign,
                          const std::string& header = "") {
    const Merged result =
        merged("po",
               (header.empty() ? "" : "msgid \"\"\nmsgstr \"\"\n\"" + header + "\\n\"\n\n") +
                   "msgid \"" + id + "\"\nmsgstr \"\"\n",
               {line}, {.accelerator = sign});
    return result.problems.empty() ? "" : result.problems[0];
  };
  CHECK(problem("_Open and _close", "_Öffnen und _schließen", "_") ==
        "doc:1: several letters have the mark of a key, _, which is translated as text");
  CHECK(problem("snake_case and _key", "snake_case und _Taste", "_").starts_with("doc:1: several"));
  CHECK(problem("snake_case_name", "snake_case_name", "_") == "");
  CHECK(problem("_Open", "_Öffnen und _schließen", "_") ==
        "doc:1: the translation has several marks of a key; it is without the key of a menu");
  for (const char* lost : {"_Cancel", "&Cancel", "~Cancel", "Save _As", "(_F) Datei"}) {
    CHECK(problem(lost, "Abbrechen", "").find("lacks the mark of a key") != std::string::npos);
    CHECK(problem(lost, "Abbrechen", "^").find("lacks the mark of a key") != std::string::npos);
  }
  for (const char* none : {"a file_name", "AT&T", "a & b", "about ~100 KB", "&amp;"})
    CHECK(problem(none, "etwas", "") == "");
  CHECK(problem("_Cancel", "_Abbrechen", "") == "");
  for (const char* sign : {"%", "~~", "a", "<"})
    CHECK(problem("_Cancel", "_Abbrechen", "", "X-Accelerator-Marker: " + std::string(sign)) ==
          "doc:3: X-Accelerator-Marker is \"" + std::string(sign) +
              "\", which is no single sign, as & or _; no keys are looked for");
  CHECK(problem("_Cancel", "_Abbrechen", "_", "X-Accelerator-Marker: %") == "");
  CHECK(problem("_Cancel", "Ende", "", "X-Accelerator-Marker: _ \\r") == "");
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
    return wrong_placeholders(a, b, format);
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
  CHECK(wrong("it''s {0}", "it's {0}", "java-format") == "lacks {0}");
  CHECK(wrong("a {0}", "a {0", "java-format") == "has {0, which is wrong in java-format");
  CHECK(wrong("%1 %L2", "%L2 %1", "qt-format") == "");
  CHECK(wrong("%n a", "a", "qt-format") == "lacks %n");
  CHECK(wrong("$a ${b}", "${b} $c", "sh-format") == "has $c where the text has it not");
  CHECK(wrong("%s", "", "nosuch-format") == "");
  for (const auto& [text, format, part] :
       {std::tuple{"a %-5ld %% b", "c-format", "%-5ld"},
        {"% d a", "c-format", "% d"},
        {"a %<PRIu64> b", "c-format", "%<PRIu64>"},
        {"a %{b}", "ruby-format", "%{b}"},
        {"a %L123", "qt-format", "%L12"},
        {"{{x}} {a} b", "python-brace-format", "{a}"},
        {"a {0,choice,0#{1}}", "java-format", "{0,choice,0#{1}}"},
        {"a $b_c d", "sh-format", "$b_c"}}) {
    const auto found = placeholders_in(text, format);
    REQUIRE(found.size() == 1);
    CHECK(std::string_view(text).substr(found[0].begin, found[0].end - found[0].begin) == part);
  }
  CHECK(placeholders_in("%s %% %d", "c-format").size() == 2);
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
  CHECK(merged("po", document, {"ü"}).problems ==
        Lines{"doc:4: translation 1 has characters that the document's encoding lacks (msgconv -t "
              "UTF-8 changes that); the text stays as it is"});
  const std::string two =
      "msgid \"\"\nmsgstr \"\"\n\"Language: x\\n\"\n\"Content-Type: text/plain; ";
  CHECK_THROWS_WITH(lines("po", two + "charset=SHIFT_JIS\\n\"\n"),
                    "doc:4: encoding \"SHIFT_JIS\" is not read; convert it by: msgconv -t UTF-8");
  CHECK_THROWS_WITH(lines("po", two + "charset=nosuch\\n\"\n"),
                    StartsWith("doc:4: unknown encoding \"nosuch\"; convert it by: msgconv"));
  const std::string damaged = two +
                              "charset=EUC-JP\\n\"\n\"Plural-Forms: nplurals=1; plural=0;\\n\"\n\n"
                              "msgid \"\xff\"\nmsgid_plural \"b\"\nmsgstr[0] \"\"\n";
  CHECK(merged("po", damaged, {"c"}).text == damaged);
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

TEST_CASE("strings of PO are broken where Unicode lets them be, and not in directives") {
  const auto broken = [](const std::string& text, const std::vector<TextRange>& whole = {}) {
    Lines lines;
    const std::string string = po_string("msgstr", text, true, "\n", whole);
    for (std::size_t at = 0, end; (end = string.find('\n', at)) != std::string::npos; at = end + 1)
      lines.push_back(string.substr(at, end - at));
    lines.push_back(string.substr(string.rfind('\n') + 1));
    return lines;
  };
  const std::string word(70, 'x'), longer(90, 'y');
  CHECK(broken(word + "-b-cccccc") == Lines{"msgstr \"\"", "\"" + word + "-b-\"", "\"cccccc\""});
  CHECK(broken(word + " (ccccccc)") == Lines{"msgstr \"\"", "\"" + word + " \"", "\"(ccccccc)\""});
  CHECK(broken(word + "\"\"\"\"") == Lines{"msgstr \"" + word + "\\\"\\\"\\\"\\\"\""});
  CHECK(broken(longer) == Lines{"msgstr \"" + longer + "\""});
  CHECK(broken("a " + longer + " b") ==
        Lines{"msgstr \"\"", "\"a \"", "\"" + longer + " \"", "\"b\""});
  CHECK(broken(word + "a bcd-5e") == Lines{"msgstr \"\"", "\"" + word + "a \"", "\"bcd-5e\""});
  CHECK(broken(word.substr(1) + " %(a-b)s c") ==
        Lines{"msgstr \"\"", "\"" + word.substr(1) + " %(a-\"", "\"b)s c\""});
  CHECK(broken(word.substr(1) + " %(a-b)s c", {{70, 77}}) ==
        Lines{"msgstr \"\"", "\"" + word.substr(1) + " \"", "\"%(a-b)s c\""});
  std::string kana, line;
  for (int i = 0; i < 38; ++i) line += "あ";
  for (int i = 0; i < 50; ++i) kana += "あ";
  CHECK(broken(kana) ==
        Lines{"msgstr \"\"", "\"" + line + "\"", "\"" + kana.substr(line.size()) + "\""});
  CHECK(broken(kana.substr(0, 35 * 3)).size() == 1);
  CHECK(columns("e\u0301漢a") == 4);
}

}  // namespace tt::document
