// Lines as sentences and back, without a model: what stands where, and what passes.
#include "lines/sentences.h"
#include "tests/catch.h"
#include "tests/unit/line_fixture.h"

namespace tt {
namespace {

LineText line(const std::string& text) {
  LineText line;
  line.number = 7;
  line.text = text;
  return line;
}

LineText split(LineText line, const std::string& language = "en", bool pass_through = true) {
  LineOptions options;
  options.sentences = language;
  options.pass_through = pass_through;
  sentences_transform(options, made_up_models())(line);
  return line;
}

// The texts of the sentences, those that pass in parentheses.
std::string shown(const LineText& line) {
  std::string all;
  for (const LineSentence& s : line.sentences)
    all += (all.empty() ? "" : "|") + (s.passes ? "(" + s.request.text + ")" : s.request.text);
  return all;
}

// Translates each sentence by itself in brackets, with one piece and half a point.
Translated translated(LineText& line) {
  std::size_t left = 0;  // of those that do not pass
  for (const LineSentence& s : line.sentences) left += !s.passes;
  for (LineSentence& s : line.sentences) {
    if (s.passes) {
      s.result.best.resize(2);
      for (Translation& t : s.result.best) t.text = s.request.text;
      continue;
    }
    for (std::size_t b = 0; b <= left && b < 2; ++b) {
      Translation& t = s.result.best.emplace_back();
      t.text = "[" + s.request.text + "]" + std::to_string(b);
      t.target = {static_cast<std::int32_t>(b)};
      t.token_scores = {-0.5f};
      t.log_probability = t.score = -0.5;
    }
    --left;
    s.result.source = {1, 2};
    s.result.problems = {{Reason::too_short}};
    for (std::size_t w = 0; w < s.request.requirements.size(); ++w) s.result.missing.push_back(w);
  }
  return joined(line);
}

// The alignments of sentences as that of the line.
SoftAlignment joined_alignment(LineText& line, const std::vector<SoftAlignment>& of_sentences) {
  LineText copy = line;
  copy.sentences.clear();
  LineOptions options;
  const auto undo = sentences_transform(options, made_up_models())(copy);
  LineTranslation found;
  found.of_sentences = {of_sentences};
  undo.put_back(found, line);
  return found.alignments[0];
}

}  // namespace

TEST_CASE("a line is split at its sentences, and joined with its spaces") {
  const LineText text = line("  One dog.  Two dogs!\tThree? ");
  LineText lines = split(text);
  CHECK(shown(lines) == "One dog.|Two dogs!|Three?");
  const Translated found = translated(lines);
  REQUIRE(found.best.size() == 2);
  CHECK(found.best[0].text == "[One dog.]0  [Two dogs!]0\t[Three?]0");
  CHECK(found.best[1].text == "[One dog.]1  [Two dogs!]1\t[Three?]1");
  CHECK(found.best[0].target.size() == 3);
  CHECK(found.best[0].token_scores.size() == 3);
  CHECK(found.best[0].score == -1.5);
  CHECK(found.best[0].log_probability == -1.5);
  CHECK(found.source.size() == 6);
  CHECK_FALSE(found.cut);
  CHECK(found.problems == std::vector<Problem>(3, {Reason::too_short}));
}

TEST_CASE("samples of a sentence do not depend on the others") {
  // Nor on whether they begin a multiple of any power of two apart.
  for (const std::size_t begin : {9, 1 << 16}) {
    const LineText lines = split(line("One dog." + std::string(begin - 8, ' ') + "Two dogs."));
    REQUIRE(lines.sentences.size() == 2);
    CHECK(lines.sentences[0].request.number == 7);
    CHECK(lines.sentences[1].request.number - 7 > 1 << 20);
  }
}

TEST_CASE("gaps part sentences, and stay where they were") {
  LineText text = line("\\nOne dog. Two dogs!\\n \\nThree\\n");
  text.untranslated = {{0, 2}, {20, 22}, {23, 25}, {30, 32}};
  LineText lines = split(text, "");
  CHECK(shown(lines) == "One dog. Two dogs!|Three");
  CHECK(translated(lines).best[0].text == "\\n[One dog. Two dogs!]0\\n \\n[Three]0\\n");
  LineText empty = line("\\n");
  empty.untranslated = {{0, 2}};
  LineText none = split(empty, "en");
  CHECK(shown(none).empty());
  none.sentences[0].result.best.resize(1);
  CHECK(joined(none).best[0].text == "\\n");
  // Words are those of the sentences: a gap parts them, and has none.
  LineText glued = line("a b\\nc d");
  glued.untranslated = {{3, 5}};
  LineText two = split(glued, "");
  two.sentences[0].result.best.resize(1);
  two.sentences[0].result.best[0].text = "x";
  two.sentences[1].result.best.resize(1);
  two.sentences[1].result.best[0].text = "y z";
  const std::vector<SoftAlignment> found{{{0.25f, 0.75f}}, {{1, 0}, {0, 1}}};
  CHECK(joined_alignment(two, found) ==
        SoftAlignment{{0.25f, 0.75f, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}});
}

TEST_CASE("sentences without spaces are joined as both sides are written") {
  const LineText text = line("犬が走る。猫が寝る。");
  LineText lines = split(text, "ja");
  CHECK(shown(lines) == "犬が走る。|猫が寝る。");
  CHECK(translated(lines).best[0].text == "[犬が走る。]0 [猫が寝る。]0");
  lines.sentences[0].result.best[0].text = "猫。";
  CHECK(joined(lines).best[0].text == "猫。[猫が寝る。]0");
}

TEST_CASE("a text is parted at its line breaks, which stay") {
  for (const std::string language : {"", "en"}) {
    const LineText text = line("\n\none dog \r\n 12\n\ntwo dogs\n");
    LineText lines = split(text, language);
    CHECK(shown(lines) == "one dog|(12)|two dogs");
    CHECK(translated(lines).best[0].text == "\n\n[one dog]0 \r\n 12\n\n[two dogs]0\n");
    const LineText empty = line(" \n");
    LineText blank = split(empty, language);
    CHECK(shown(blank).empty());
    REQUIRE(blank.sentences.size() == 1);
    blank.sentences[0].result.best.resize(1);
    CHECK(joined(blank).best[0].text == " \n");
  }
}

TEST_CASE("a requirement stays whole, in its sentence") {
  LineText text = line("A dog. Take No. Two. Go home. End <b>. X</b> here.");
  const auto want = [&](const std::string& words, bool verbatim) {
    const std::size_t at = text.text.find(words);
    text.requirements.push_back({words, {words}, verbatim, {at, at + words.size()}});
  };
  want("<b>. X</b>", true);
  want("home", false);
  want("No. Two. ", true);
  LineText lines = split(text);
  CHECK(shown(lines) == "A dog.|Take No. Two. |Go home.|End <b>. X</b> here.");
  CHECK(lines.sentences[0].request.requirements.empty());
  const LineSentence& third = lines.sentences[2];
  CHECK(third.requirements == std::vector<std::size_t>{1});
  const TextRange place = third.request.requirements[0].place;
  CHECK(third.request.text.substr(place.begin, place.end - place.begin) == "home");
  CHECK(translated(lines).missing == std::vector<std::size_t>{2, 1, 0});
}

TEST_CASE("a prefix belongs to the first sentence") {
  LineText text = line("- One dog.");
  text.prefix = "p";
  CHECK(shown(split(text)) == "- One dog.");
  text.text = "12! One dog.";
  const LineText lines = split(text);
  CHECK(shown(lines) == "12!|One dog.");
  CHECK(lines.sentences[0].request.prefix == "p");
  CHECK(lines.sentences[1].request.prefix.empty());
}

TEST_CASE("what has no letter passes") {
  for (const char* text : {"-", "...", "12,5 %", " 3 + 4 = 7 ", "\u263A", "https://a.org/b?c=d",
                           "me@example.org", "(https://a.org, b@c.de)", "\uFFFD", "٣٤"}) {
    INFO(text);
    LineText lines = split(line(text), "");
    CHECK(lines.sentences[0].passes);
    const Translated found = translated(lines);
    REQUIRE(found.best.size() == 2);
    CHECK(found.best[1].text == text);
    CHECK(found.best[1].target.empty());
    CHECK(found.best[1].score == 0);
  }
  for (const char* text : {"", "  ", "\u200B", "a", "猫", "5 km", "see https://a.org"}) {
    INFO(text);
    CHECK_FALSE(split(line(text), "").sentences[0].passes);
  }
  LineText term = line("12");
  term.requirements.push_back({"12", {"zwölf"}, false, {0, 2}});
  CHECK_FALSE(split(term, "").sentences[0].passes);
  LineText kept = line("{name}: 5");
  CHECK_FALSE(split(kept, "").sentences[0].passes);
  kept.requirements = {{"{name}", {"{name}"}, true, {0, 6}}};
  CHECK(split(kept, "").sentences[0].passes);
  CHECK_FALSE(split(line("-"), "", false).sentences[0].passes);
}

TEST_CASE("several sentences translated as one are reported") {
  const auto problems = [](const std::string& text, const std::string& language) {
    LineText lines = split(line(text), language);
    for (LineSentence& s : lines.sentences) s.result.best.resize(1);
    return joined(lines).problems.size();
  };
  CHECK(problems("One dog. Two dogs.", "") == 1);
  CHECK(problems("(A dog barks.) \"Two dogs!\"", "") == 1);
  CHECK(problems("犬が走る。猫が寝る。", "") == 1);
  CHECK(problems("One dog. Two dogs.", "en") == 0);
  for (const char* text : {"One dog.", "Yes. One dog.", "One dog. Two dogs", "Mr. X met J. R. Y.",
                           "a dog.\ntwo dogs."})
    CHECK(problems(text, "") == 0);
}

TEST_CASE("alignments of sentences are one of the line") {
  const LineText text = line("One dog. 12! Two.");
  LineText lines = split(text);
  CHECK(shown(lines) == "One dog.|(12!)|Two.");
  translated(lines);
  lines.sentences[0].result.best[0].text = "hund ein";
  lines.sentences[2].result.best[0].text = "zwei mal";
  const std::vector<SoftAlignment> found{{{0, 1}, {1, 0}}, {}, {{0.5f}, {1}}};
  CHECK(hard_alignment(joined_alignment(lines, found)) == "0-1 1-0 2-2 3-3 3-4");
}

}  // namespace tt
