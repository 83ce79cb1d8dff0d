// Translation memories, and lines that are in one.
#include "lines/memory.h"

#include "base/error.h"
#include "tests/catch.h"
#include "tests/unit/line_fixture.h"

namespace tt {
namespace {

std::string found(const Memory& memory, std::string_view source) {
  const auto found = memory.find(source);
  if (!found) return "(none)";
  return std::string(found->translation) + (found->several ? " (of several)" : "");
}

TEST_CASE("a memory finds what is there to the letter") {
  const Scratch scratch;
  const Memory memory(scratch.file("memory",
                                   "\xef\xbb\xbf"
                                   "the dog\tder Hund\n"
                                   "The dog\tDer Hund\tx\n"
                                   "\n"
                                   "none\n"
                                   "none\t \n"
                                   "\tnichts\n"
                                   "bad\tschlecht \xff\n"
                                   "a cat\teine Katze\n"
                                   "a cat\teine Katze\n"
                                   "it\tes\n"
                                   "it\ter\n"
                                   "it\tes\n"
                                   " a  b\t c\r\n"
                                   "last\tletzte"));
  CHECK(memory.left_out() == 4);
  CHECK(found(memory, "the dog") == "der Hund");
  CHECK(found(memory, "The dog") == "Der Hund");
  CHECK(found(memory, "a cat") == "eine Katze");
  CHECK(found(memory, "it") == "es (of several)");
  CHECK(found(memory, " a  b") == " c\r");
  CHECK(found(memory, "last") == "letzte");
  for (const char* const other :
       {"", "dog", "the dog ", "THE DOG", "none", "bad", "a b", "the dog\tder Hund"})
    CHECK(found(memory, other) == "(none)");
  CHECK(found(Memory(scratch.file("empty", "")), "a") == "(none)");
  CHECK_THROWS_AS(Memory(scratch.file("packed", "\x1f\x8b\x08")), Error);
  CHECK_THROWS_AS(Memory("nowhere"), Error);
}

TEST_CASE("a memory of many lines finds each") {
  const Scratch scratch;
  constexpr int kLines = 20000;
  std::string text;
  for (int i = 0; i < kLines; ++i)
    text += "line " + std::to_string(i) + "\tZeile " + std::to_string(i) + "\n";
  const Memory memory(scratch.file("memory", text));
  int wrong = 0;
  for (int i = 0; i < kLines; ++i) {
    const std::string number = std::to_string(i);
    wrong += found(memory, "line " + number) != "Zeile " + number;
    wrong += found(memory, "line 0" + number) != "(none)";
  }
  CHECK(wrong == 0);
}

TEST_CASE("a line of a memory is not translated, whatever else is asked for") {
  const Scratch scratch;
  const Memory memory(scratch.file("memory",
                                   "<b>A dog</b> %s 42. It runs.\t<i>Ein Hund</i>\n"
                                   "it\tes\nit\ter\n"));
  LineOptions options;
  options.memory = &memory;
  options.markup = MarkupKind::html;
  options.keep.numbers = options.keep.placeholders = options.letter_case = true;
  options.sentences = "en";
  const auto walk = [&](const std::string& line) {
    std::vector<Line> lines = Pipeline(options, made_up_models())
                                  .run(
                                      {&line, 1}, 1, {2, true, true},
                                      [](std::span<const Request> requests) {
                                        std::vector<Translated> all(requests.size());
                                        for (Translated& each : all) each.best.resize(2);
                                        return all;
                                      },
                                      [](std::span<const Pipeline::Link> links) {
                                        return std::vector<SoftAlignment>(links.size());
                                      });
    return std::move(lines[0]);
  };
  const Line line = walk("<b>A dog</b> %s 42. It runs.");
  CHECK(line.text.remembered);
  CHECK(line.text.problems.empty());
  REQUIRE(line.found.written == 1);
  REQUIRE(line.found.result.best.size() == 1);
  CHECK(line.found.result.best[0].text == "<i>Ein Hund</i>");
  CHECK(walk("it").found.result.best[0].text == "er");
  CHECK(walk("it").text.problems.all() == std::vector<Problem>{{Reason::several_in_memory}});
  CHECK(!walk("It").text.remembered);
  options.json = true;
  CHECK(walk(R"({"text": "it"})").text.remembered);
  CHECK(!walk(R"({"text": "it", "to": "fr"})").text.remembered);
  CHECK(walk(R"({"text": "it", "prefix": "e"})").text.remembered);
  CHECK(!walk(R"({"text": "it", "prefix": "es"})").text.remembered);
  CHECK(!walk("it").text.remembered);
}

}  // namespace
}  // namespace tt
