// A document with translations is read again: what is read as something else is not written.
#include "base/random.h"
#include "base/split.h"
#include "tests/checked_document.h"

namespace tt::document {
namespace {

// Lines of text whose writer escapes nothing: line feeds end a text, { hides all up to }, and the
// last line that begins with a T loses it.
void pass_raw(Editor& editor, const Settings&) {
  const std::string_view document = editor.document();
  bool hidden = false;
  std::size_t last = 0;
  for (std::size_t at = 0; at < document.size();
       at = std::min(document.find('\n', at), document.size()) + 1)
    if (document[at] == 'T') last = at;
  for (std::size_t at = 0, end; at < document.size(); at = end + 1) {
    end = std::min(document.find('\n', at), document.size());
    const std::string_view line = document.substr(at, end - at);
    hidden = (hidden || line.starts_with('{')) && line.find('}') == line.npos;
    const std::size_t from = at == last && line.starts_with('T') ? 1 : 0;
    if (hidden || !has_letter(line.substr(from))) continue;
    const auto translated = editor.translation(at, line.substr(from));
    if (!translated) continue;
    editor.mean(*translated);
    editor.replace(at, end, *translated);
  }
}
const Format kRaw{"raw", {}, pass_raw};

const std::string kUnwritable =
    " cannot be written so that it is read as it is; the text stays as it is";

struct Sample {
  std::string format, document;
  Settings settings = {};
};

const std::vector<Sample>& samples() {
  const std::string unit = "<source>a <g id=\"1\">dog</g> &amp; <x id=\"2\"/></source>",
                    head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n",
                    cue = "00:00:01.000 --> 00:00:02.000\n";
  static const std::vector<Sample> all{
      {"html", "<title>a dog</title><p>a <b>dog</b> <img> b</p>\n<h1>b</h1>"},
      {"html", "<meta charset=iso-8859-5><ul><li>a dog<li>b <i>c</i></ul><p>d"},
      {"csv", "a dog,\"b\"\nc,d\n", {.columns = {"1", "2"}}},
      {"csv", "a dog;1\nb;2\n", {.columns = {"1"}, .delimiter = ';'}},
      {"po", "msgid \"a dog\"\nmsgstr \"\"\n\nmsgid \"b\"\nmsgstr \"\"\n"},
      {"po",
       "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=utf-8\\n\"\n"
       "\"Plural-Forms: nplurals=3; plural=n==1?0:n==2?1:2;\\n\"\n\n"
       "msgid \"a dog\"\nmsgid_plural \"dogs\"\nmsgstr[0] \"\"\n"},
      {"xliff",
       head + "<xliff version=\"1.2\"><file><body><trans-unit>" + unit +
           "</trans-unit><trans-unit><source>b</source></trans-unit></body></file></xliff>",
       {.to = "de"}},
      {"xliff",
       head + "<xliff version=\"2.0\" trgLang=\"de\"><file><unit><segment>" + unit +
           "<target/></segment></unit></file></xliff>",
       {.to = "de"}},
      {"tmx",
       head + "<tmx><header srclang=\"en\"/><body><tu><tuv xml:lang=\"en\"><seg>a dog</seg></tuv>"
              "</tu><tu><tuv xml:lang=\"en\"><seg>b <hi>c</hi></seg></tuv></tu></body></tmx>",
       {.to = "de"}},
      {"srt", "1\n" + cue + "a dog\nbarks\n\n2\n" + cue + "- b\n- c\n"},
      {"vtt", "WEBVTT\n\n" + cue + "a <i>dog</i>\nbarks\n\n" + cue + "<v Ann>b</v>\n"},
      {"markdown", "# a dog\n\n- b *c*\n- d [e](f)\n\n> g `h`\n\n| i | j |\n|---|---|\n"},
  };
  return all;
}

// The line with random signs and words between its tags.
std::string with_signs(const std::string& line, bool plain, Random& random) {
  static const Lines signs{"*", "_",      "[",      "]",     "(",  ")",    "<", ">",  "&", "\\\\",
                           "!", "#",      "|",      "~",     "`",  "Hund", "b", "1",  ".", "\\n",
                           " ", " ",      "\u201e", "-",     "+",  ":",    "=", "\"", "'", ",",
                           ";", "\u72ac", "\u00a0", "&amp;", "--", "]]>",  "/", "}",  "{", "\\t"};
  std::string result;
  const auto add = [&] {
    for (std::size_t i = random.below(9); i-- > 0;) {
      const std::string& sign = signs[random.below(static_cast<std::uint32_t>(signs.size()))];
      result += plain || sign.size() > 1 ? sign
                : sign == "<"            ? "&lt;"
                : sign == "&"            ? "&amp;"
                                         : sign;
    }
  };
  result = "x";
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (!plain && line[at] == '<') {
      add();
      const std::size_t end = line.find('>', at);
      result += line.substr(at, end + 1 - at) + "y";
      at = end;
    } else if (line[at] == ' ') {
      result += ' ';
    }
  }
  add();
  return result;
}

}  // namespace

TEST_CASE("a translation that the writer damages is reported, and its text stays") {
  const Merged broken = merged(kRaw, "a\nb\nc\n", {"d", "e\\nf", "g"});
  CHECK(broken.text == "d\nb\ng\n");
  CHECK(broken.problems == Lines{"doc:2: translation 2" + kUnwritable});
  // One that hides the others does not take them with it.
  const Merged hidden = merged(kRaw, "a\nb\nc\nd\n", {"e", "{ f", "g", "h"});
  CHECK(hidden.text == "e\nb\ng\nh\n");
  CHECK(hidden.problems == Lines{"doc:2: translation 2" + kUnwritable});
  // So does one behind which nothing has changed.
  CHECK(merged(kRaw, "a\nb\nc\n", {"a", "{ f", "c"}).text == "a\nb\nc\n");
  CHECK(merged(kRaw, "a\nb\n", {"1", "{"}).text == "1\n{\n");  // nothing is hidden, or read
  CHECK(merged(kRaw, "a\nb\nc\n", {"{", "d", "c"}).text == "a\nd\nc\n");
  CHECK(with("markdown", "a\n\nb\n", {"```", "c"}) == "\\`\\`\\`\n\nc\n");
}

TEST_CASE("signs alone stay a text, and a cue gets no times of another") {
  for (const char* signs : {"***", "---", "* *", "_ _ _", "===", "|-|"}) {
    const std::string escaped = with("markdown", "a\n\nb\n", {signs, "c"});
    INFO(escaped);
    CHECK(escaped.starts_with('\\'));
    CHECK(escaped.ends_with("\n\nc\n"));
  }
  const std::string film = "1\n00:00:01,000 --> 00:00:02,000\na dog\n";
  for (const char* times : {"00:00:05,000 --> 00:00:06,000", "1 00:00:05.0 --> 00:00:06.0 b"}) {
    const Merged result = merged("srt", film, {times});
    CHECK(result.text == film);
    CHECK(result.problems ==
          Lines{"doc:3: translation 1 has the times of a cue; the text stays as it is"});
  }
  CHECK(with("srt", film, {"a --> b"}) == "1\n00:00:01,000 --> 00:00:02,000\na --> b\n");
}

TEST_CASE("Markdown: an address without brackets gets some where text stands against it") {
  CHECK(with("markdown", "a http://b.c/d.\n", {"e<ph id=\"1\"/>f"}) == "e<http://b.c/d>f\n");
  CHECK(with("markdown", "a www.b.c d\n", {"「<ph id=\"1\"/>」"}) == "「<http://www.b.c>」\n");
  CHECK(with("markdown", "a www.b.c d\n", {"e <ph id=\"1\"/>."}) == "e www.b.c.\n");
  CHECK(extracted("markdown", "a\n\nb http://c.d/e*f*\n").problems ==
        Lines{"doc:3: marks that cannot be told apart; the text stays as it is"});
}

TEST_CASE("a document that is always read as another is not written") {
  CHECK_THROWS_WITH(merged(kRaw, "a\nb\nc\nd\ne\nf\n", {"Ta", "Tb", "Tc", "Td", "Te", "Tf"}),
                    Contains("doc: cannot be written with translation 3 so that"));
}

TEST_CASE("translations of any signs are read as they are, in each format") {
  Random random(7);
  std::map<std::string, int> unwritable;
  for (int round = 0; round < 10000; ++round) {
    const Sample& sample = samples()[static_cast<std::size_t>(round) % samples().size()];
    const bool plain = sample.format == "csv" || sample.format == "po" || sample.format == "srt";
    Lines lines = extracted(sample.format, sample.document, sample.settings).lines;
    for (std::string& line : lines) line = with_signs(line, plain, random);
    const Merged result = merged(sample.format, sample.document, lines, sample.settings);
    INFO(sample.document << "\n" << lines[0] << "\n" << result.text);
    for (const std::string& problem : result.problems) {
      INFO(problem);
      unwritable[sample.format] += problem.ends_with(kUnwritable);
      CHECK((problem.ends_with(kUnwritable) || sample.format == "srt" || sample.format == "po"));
    }
  }
  CHECK(unwritable["html"] + unwritable["csv"] + unwritable["po"] + unwritable["xliff"] +
            unwritable["tmx"] + unwritable["vtt"] + unwritable["markdown"] ==
        0);
  CHECK(unwritable["srt"] < 20);
}

}  // namespace tt::document
