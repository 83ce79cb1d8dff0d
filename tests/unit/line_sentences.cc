// Lines as sentences and back, without a model: what stands where, and what passes.
#include "lines/line_sentences.h"

#include "tests/catch.h"
#include "tests/unit/text_fixture.h"

namespace tt {
namespace {

Request line(const std::string& text) { return {text, 7, "", "", {}}; }

SplitLine split(const Request& request, const std::string& language = "en") {
  return LineSplitter({language, true}, made_up_model("bpe")).split(request);
}

// The texts of the sentences, those that pass in parentheses.
std::string shown(const SplitLine& split) {
  std::string all;
  for (const LineSentence& s : split.sentences)
    all += (all.empty() ? "" : "|") + (s.passes ? "(" + s.request.text + ")" : s.request.text);
  return all;
}

// Translates each sentence by itself in brackets, with one piece and half a point.
Translated translated(SplitLine& lines, const Request& request) {
  translate_sentences({&lines, 1}, 2, [](std::span<const Request> requests) {
    std::vector<Translated> results;
    for (const Request& r : requests) {
      Translated result;
      for (std::size_t b = 0; b <= requests.size() - results.size() && b < 2; ++b) {
        Translation& t = result.best.emplace_back();
        t.text = "[" + r.text + "]" + std::to_string(b);
        t.target = {static_cast<std::int32_t>(b)};
        t.token_scores = {-0.5f};
        t.log_probability = t.score = -0.5;
      }
      result.source = {1, 2};
      result.problems = {"a problem"};
      for (std::size_t w = 0; w < r.requirements.size(); ++w) result.unmet.push_back(w);
      results.push_back(std::move(result));
    }
    return results;
  });
  return lines.joined(request);
}

}  // namespace

TEST_CASE("a line is split at its sentences, and joined with its spaces") {
  const Request request = line("  One dog.  Two dogs!\tThree? ");
  SplitLine lines = split(request);
  CHECK(shown(lines) == "One dog.|Two dogs!|Three?");
  const Translated found = translated(lines, request);
  REQUIRE(found.best.size() == 2);
  CHECK(found.best[0].text == "[One dog.]0  [Two dogs!]0\t[Three?]0");
  CHECK(found.best[1].text == "[One dog.]1  [Two dogs!]1\t[Three?]1");
  CHECK(found.best[0].target.size() == 3);
  CHECK(found.best[0].token_scores.size() == 3);
  CHECK(found.best[0].score == -1.5);
  CHECK(found.best[0].log_probability == -1.5);
  CHECK(found.source.size() == 6);
  CHECK_FALSE(found.cut);
  CHECK(found.problems == std::vector<std::string>(3, "a problem"));
}

TEST_CASE("samples of a sentence do not depend on the others") {
  // Nor on whether they begin a multiple of any power of two apart.
  for (const std::size_t begin : {9, 1 << 16}) {
    const SplitLine lines = split(line("One dog." + std::string(begin - 8, ' ') + "Two dogs."));
    REQUIRE(lines.sentences.size() == 2);
    CHECK(lines.sentences[0].request.number == 7);
    CHECK(lines.sentences[1].request.number - 7 > 1 << 20);
  }
}

TEST_CASE("gaps part sentences, and stay where they were") {
  Request request = line("\\nOne dog. Two dogs!\\n \\nThree\\n");
  request.gaps = {{0, 2}, {20, 22}, {23, 25}, {30, 32}};
  SplitLine lines = split(request, "");
  CHECK(shown(lines) == "One dog. Two dogs!|Three");
  CHECK(translated(lines, request).best[0].text == "\\n[One dog. Two dogs!]0\\n \\n[Three]0\\n");
  Request empty = line("\\n");
  empty.gaps = {{0, 2}};
  SplitLine none = split(empty, "en");
  CHECK(shown(none).empty());
  none.sentences[0].result.best.resize(1);
  CHECK(none.joined(empty).best[0].text == "\\n");
  // Words are those of the sentences: a gap parts them, and has none.
  Request glued = line("a b\\nc d");
  glued.gaps = {{3, 5}};
  SplitLine two = split(glued, "");
  two.sentences[0].result.best.resize(1);
  two.sentences[0].result.best[0].text = "x";
  two.sentences[1].result.best.resize(1);
  two.sentences[1].result.best[0].text = "y z";
  const std::vector<SoftAlignment> found{{{0.25f, 0.75f}}, {{1, 0}, {0, 1}}};
  CHECK(two.joined(glued, 0, found) ==
        SoftAlignment{{0.25f, 0.75f, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}});
}

TEST_CASE("sentences without spaces are joined as both sides are written") {
  const Request request = line("犬が走る。猫が寝る。");
  SplitLine lines = split(request, "ja");
  CHECK(shown(lines) == "犬が走る。|猫が寝る。");
  CHECK(translated(lines, request).best[0].text == "[犬が走る。]0 [猫が寝る。]0");
  lines.sentences[0].result.best[0].text = "猫。";
  CHECK(lines.joined(request).best[0].text == "猫。[猫が寝る。]0");
}

TEST_CASE("a text is parted at its line breaks, which stay") {
  for (const std::string language : {"", "en"}) {
    const Request request = line("\n\none dog \r\n 12\n\ntwo dogs\n");
    SplitLine lines = split(request, language);
    CHECK(shown(lines) == "one dog|(12)|two dogs");
    CHECK(translated(lines, request).best[0].text == "\n\n[one dog]0 \r\n 12\n\n[two dogs]0\n");
    const Request empty = line(" \n");
    SplitLine blank = split(empty, language);
    CHECK(shown(blank).empty());
    REQUIRE(blank.sentences.size() == 1);
    blank.sentences[0].result.best.resize(1);
    CHECK(blank.joined(empty).best[0].text == " \n");
  }
}

TEST_CASE("a requirement stays whole, in its sentence") {
  Request request = line("A dog. Take No. Two. Go home. End <b>. X</b> here.");
  const auto want = [&](const std::string& text, bool verbatim) {
    const std::size_t at = request.text.find(text);
    request.requirements.push_back({text, {text}, verbatim, {at, at + text.size()}});
  };
  want("<b>. X</b>", true);
  want("home", false);
  want("No. Two. ", true);
  SplitLine lines = split(request);
  CHECK(shown(lines) == "A dog.|Take No. Two. |Go home.|End <b>. X</b> here.");
  CHECK(lines.sentences[0].request.requirements.empty());
  const LineSentence& third = lines.sentences[2];
  CHECK(third.requirements == std::vector<std::size_t>{1});
  const TextRange place = third.request.requirements[0].place;
  CHECK(third.request.text.substr(place.begin, place.end - place.begin) == "home");
  CHECK(translated(lines, request).unmet == std::vector<std::size_t>{2, 1, 0});
}

TEST_CASE("a prefix belongs to the first sentence") {
  Request request = line("- One dog.");
  request.prefix = "p";
  CHECK(shown(split(request)) == "- One dog.");
  request.text = "12! One dog.";
  const SplitLine lines = split(request);
  CHECK(shown(lines) == "12!|One dog.");
  CHECK(lines.sentences[0].request.prefix == "p");
  CHECK(lines.sentences[1].request.prefix.empty());
}

TEST_CASE("what has no letter passes") {
  for (const char* text : {"-", "...", "12,5 %", " 3 + 4 = 7 ", "\u263A", "https://a.org/b?c=d",
                           "me@example.org", "(https://a.org, b@c.de)", "\uFFFD", "٣٤"}) {
    INFO(text);
    const Request request = line(text);
    SplitLine lines = split(request, "");
    CHECK(lines.sentences[0].passes);
    const Translated found = translated(lines, request);
    REQUIRE(found.best.size() == 2);
    CHECK(found.best[1].text == text);
    CHECK(found.best[1].target.empty());
    CHECK(found.best[1].score == 0);
  }
  for (const char* text : {"", "  ", "\u200B", "a", "猫", "5 km", "see https://a.org"}) {
    INFO(text);
    CHECK_FALSE(split(line(text), "").sentences[0].passes);
  }
  Request term = line("12");
  term.requirements.push_back({"12", {"zwölf"}, false, {0, 2}});
  CHECK_FALSE(split(term, "").sentences[0].passes);
  Request kept = line("{name}: 5");
  CHECK_FALSE(split(kept, "").sentences[0].passes);
  kept.requirements = {{"{name}", {"{name}"}, true, {0, 6}}};
  CHECK(split(kept, "").sentences[0].passes);
  CHECK_FALSE(LineSplitter({"", false}, made_up_model("bpe")).split(line("-")).sentences[0].passes);
}

TEST_CASE("several sentences translated as one are reported") {
  const auto problems = [](const std::string& text, const std::string& language) {
    const Request request = line(text);
    SplitLine lines = split(request, language);
    for (LineSentence& s : lines.sentences) s.result.best.resize(1);
    return lines.joined(request).problems.size();
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
  const Request request = line("One dog. 12! Two.");
  SplitLine lines = split(request);
  CHECK(shown(lines) == "One dog.|(12!)|Two.");
  translated(lines, request);
  lines.sentences[0].result.best[0].text = "hund ein";
  lines.sentences[2].result.best[0].text = "zwei mal";
  const SoftAlignment found[] = {{{0, 1}, {1, 0}}, {}, {{0.5f}, {1}}};
  CHECK(hard_alignment(lines.joined(request, 0, found)) == "0-1 1-0 2-2 3-3 3-4");
}

}  // namespace tt
