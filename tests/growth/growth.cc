// Reads openers, repeated without their ends: 8,000 and 32,000 of each in each language that is
// read, and prints a line for each. tests/cli/growth.sh counts the instructions of
// measured_reading(), which must grow as the text does.
#include <algorithm>
#include <functional>
#include <iostream>

#include "base/error.h"
#include "clean/cleaner.h"
#include "tests/document.h"
#include "tests/unit/line_fixture.h"

namespace tt {
namespace {

using Read = std::function<void(const std::string& text)>;

struct Reader {
  std::string name, before, behind;  // around the openers
  Read read;
  std::vector<std::string> openers;
};

// A format may refuse a document.
Read document(const std::string& format, const document::Settings& settings = {}) {
  return [=](const std::string& text) {
    try {
      document::extracted(format, text, settings);
    } catch (const Error&) {
    }
  };
}

Read line(const LineOptions& options) {
  return [=](const std::string& text) { read_line(text, options); };
}

void clean(const std::string& text) {
  std::vector<std::optional<double>> thresholds;
  for (const auto& kind : clean::rule_kinds()) thresholds.push_back(kind.initial);
  clean::Cleaner(thresholds, {.languages = {}, .held_out = {}}).verdicts(text, "a dog");
}

const std::vector<std::string> kHtml{"<!--",
                                     "<!",
                                     "<?",
                                     "<?php ",
                                     "<%",
                                     "<![CDATA[",
                                     "<a",
                                     "<a ",
                                     "<a b=\"",
                                     "<a b='",
                                     "<a <",
                                     "<a/",
                                     "</",
                                     "</a",
                                     "<b>",
                                     "</b>",
                                     "<b></i>",
                                     "<script>",
                                     "<title>",
                                     "<pre>",
                                     "<br>",
                                     "<a b=\"<%\">",
                                     "<p translate=no>",
                                     "<code>",
                                     "<",
                                     "&",
                                     "&#",
                                     "&copy",
                                     "&a;",
                                     "<i class='notranslate'>",
                                     "<b translate=no><b translate=yes>",
                                     "<b its-person=a>",
                                     "<b its-person=a ",
                                     " its-person=a"};
const std::vector<std::string> kXml{"<!--",
                                    "<![CDATA[",
                                    "<?a ",
                                    "<!D [",
                                    "<!D [>",
                                    "<g>",
                                    "<ph>",
                                    "<bpt>",
                                    "</g>",
                                    "<a b=\"",
                                    "<a ",
                                    "<a b='<",
                                    "<",
                                    "&",
                                    "&a;",
                                    "<mrk translate='no'>",
                                    "<mrk translate='no'><mrk translate='yes'>",
                                    "<sm id='1' translate='no'/>",
                                    "<em startRef='1'/>",
                                    "<sm id='1' translate='no'/><g>",
                                    "<ph><sub>",
                                    "<mrk its:person='a'>"};
const std::vector<std::string> kPlaceholders{
    "{",  "{{", "${", "%(", "%{", "%1$", "#{", "{0, plural, ", "{a, select, b {",
    "$(", "[",  "[[", "`",  "%",  "'{",  "\\", "http://",      "a@",
    "@",  "1.", "-",  "&",  "<"};

// Runs of a character, of which each is longer by one than that before, as long as the others.
constexpr std::string_view kGrowing = " growing";

// Of a bracket in each line, as "[!NOTE]\n" repeated, md4c looks for the line from the first one of
// the paragraph on; that is not among them.
const std::vector<std::string> kMarkdown{"*a ",
                                         "**a",
                                         "***a** ",
                                         "*a_",
                                         "_a ",
                                         "__a*",
                                         "~~a",
                                         "~a ",
                                         "` growing",
                                         "~ growing",
                                         "* growing",
                                         "`",
                                         "``",
                                         "```\n",
                                         "~~~ a\n",
                                         "$$\n",
                                         "$",
                                         "#",
                                         "# ",
                                         "# a {",
                                         "|",
                                         "| a ",
                                         "a|b\n",
                                         "|-|\n",
                                         "a|b\n-|-\n",
                                         "\\",
                                         "\\[",
                                         "&",
                                         "&a",
                                         "&a;",
                                         "![",
                                         "![a](b) ",
                                         "[",
                                         "[a",
                                         "[a](",
                                         "[a](b",
                                         "[a](<b",
                                         "[a](b \"",
                                         "[a](b 'c",
                                         "[a](b (",
                                         "[a](b(",
                                         "[a][",
                                         "[a] ",
                                         "[]",
                                         "]",
                                         "](",
                                         "[^",
                                         "[^a] ",
                                         "[^a]: b\n",
                                         "[a]: b\n",
                                         "[a]: b \"\n",
                                         "*[a]: b\n",
                                         ": a\n",
                                         "> ",
                                         "> a\n",
                                         ">",
                                         "a\n",
                                         "a  \n",
                                         "a\\\n",
                                         "1. a\n",
                                         "1. ",
                                         "- a\n",
                                         "- ",
                                         "* ",
                                         "+ ",
                                         "-",
                                         "- [ ] ",
                                         "---\n",
                                         "===\n",
                                         "<",
                                         "<b>",
                                         "<a ",
                                         "a <a ",
                                         "a <a b=\"",
                                         "</b",
                                         "<!--",
                                         "a <!--",
                                         "<!-- a -->\n",
                                         "<?",
                                         "a <?",
                                         "<!D",
                                         "a <!D",
                                         "<![CDATA[",
                                         "a <![CDATA[",
                                         "<div>\n",
                                         "<div ",
                                         "</div>\n",
                                         "<pre>\n",
                                         "<script>",
                                         "http://",
                                         "a <http://",
                                         "a@",
                                         "<a@b",
                                         "www.a",
                                         "www. ",
                                         "http://a.b/c*d*\n\n",
                                         "{",
                                         "{{",
                                         "a {{",
                                         "{%",
                                         "a {%",
                                         "{{ a }} ",
                                         "{#",
                                         "{: ",
                                         "{{<",
                                         "!!! note\n",
                                         "??? a \"b\"\n\n",
                                         "=== \"a\"\n    b\n",
                                         ":::",
                                         "::: a\n",
                                         ";--8<-- a\n",
                                         "[TOC]\n",
                                         "    a\n",
                                         "\ta\n",
                                         " ",
                                         "\n",
                                         std::string("\0\n\n", 3),
                                         "\r"};

const std::vector<Reader>& readers() {
  LineOptions html, xml, keep, accelerators;
  html.markup = MarkupKind::html;
  xml.markup = MarkupKind::xml;
  keep.keep = {.urls = true, .emails = true, .numbers = true, .placeholders = true};
  accelerators.accelerators = true;
  const document::Settings one{.columns = {"1"}, .to = "de"};
  static const std::vector<Reader> all{
      {"html", "<p>a ", "", document("html"), kHtml},
      {"html that ends", "<p>a ", "\"'%>]]>-->", document("html"), kHtml},
      {"xliff", "<xliff version='1.2'><file><body><trans-unit><source>a ",
       "</source></trans-unit></body></file></xliff>", document("xliff", one), kXml},
      {"tmx", "<tmx><header srclang='en'/><body><tu><tuv xml:lang='en'><seg>a ",
       "</seg></tuv></tu></body></tmx>", document("tmx", one), kXml},
      {"markdown", "", "\n", document("markdown"), kMarkdown},
      {"markdown that ends", "", " a *_~`>)]}\"-->%}$$\n", document("markdown"), kMarkdown},
      {"po",
       "",
       "",
       document("po"),
       {"msgid \"a\"\nmsgstr \"\"\n\n", "#", "#~ ", "\"a\"\n", "msgid \"", "msgid \"a\"\n"}},
      {"po text",
       "msgid \"\"\nmsgstr \"\"\n\n#, c-format\nmsgid \"",
       "\"\nmsgstr \"\"\n",
       document("po"),
       {"%", "%(", "<a ", "<!--", "&", "{", "\\n"}},
      {"srt",
       "1\n00:00:01,000 --> 00:00:02,000\n",
       "",
       document("srt"),
       {"{\\i1}", "{", "<i>", "<a ", "<!--", "&", "a\n",
        "1\n00:00:01,000 --> 00:00:02,000\na\n\n"}},
      {"vtt",
       "WEBVTT\n\n00:01.000 --> 00:02.000\n",
       "",
       document("vtt"),
       {"<c.a>", "<c.", "<00:00:", "<v ", "&", "NOTE\n", "\n00:01.000 --> 00:02.000\na\n"}},
      {"csv", "", "", document("csv", one), {"\"a,", "\"", "\"\"", ",", "a\n", "\"a\"\n"}},
      {"--markup html", "a ", "", line(html), kHtml},
      {"--markup html that ends", "a ", "\"'%>]]>-->", line(html), kHtml},
      {"--markup xml", "a ", "", line(xml), kXml},
      {"--markup xml that ends", "a ", "\"']>?>]]>-->", line(xml), kXml},
      {"--keep", "a ", "", line(keep), kPlaceholders},
      {"--keep accelerators", "a ", "", line(accelerators), {"&", "_", "&&", "<a ", "&a;"}},
      {"tt-clean",
       "a ",
       "",
       clean,
       {"<a ", "<!--", "<![CDATA[", "&", "&a;", "{", "%(", "${", "{0, plural, ", "http://", "a@",
        "1,", "1 ", "(", "\u00c3\u0192", "\u4e00", ".", "a b ", "ab"}},
  };
  return all;
}

std::string repeated(const Reader& reader, const std::string& opener, int times) {
  std::string text = reader.before;
  for (int i = 0; i < times && !opener.ends_with(kGrowing); ++i) text += opener;
  for (int i = 1, left = times; left > 0 && opener.ends_with(kGrowing); left -= i++)
    text += std::string(static_cast<std::size_t>(i), opener[0]) + "a";
  return text + reader.behind;
}

}  // namespace

__attribute__((noinline)) void measured_reading(const Read& read, const std::string& text) {
  read(text);
  asm volatile("" ::: "memory");
}

}  // namespace tt

int main() {
  for (const tt::Reader& reader : tt::readers())
    for (const std::string& opener : reader.openers) {
      const std::string few = tt::repeated(reader, opener, 8000),
                        many = tt::repeated(reader, opener, 32000);
      tt::measured_reading(reader.read, few);
      tt::measured_reading(reader.read, many);
      tt::measured_reading([](const std::string&) {}, "");  // ends the count of the one before
      std::string shown = opener;
      std::ranges::replace(shown, '\n', ' ');
      std::cout << reader.name << ": " << shown << std::endl;
    }
}
