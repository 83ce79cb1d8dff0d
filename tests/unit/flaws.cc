// Flaws of translations, and what a model notes of its target text for them.
#include "lines/flaws.h"

#include <map>
#include <memory>

#include "base/error.h"
#include "tests/catch.h"
#include "tests/unit/line_fixture.h"

namespace tt {
namespace {

using clean::TargetText;

std::vector<Reason> flaws(const std::string& source, const std::string& translation,
                          const char* note = "Latn 1") {
  static std::map<std::string, std::unique_ptr<Flaws>> known;
  std::unique_ptr<Flaws>& flaws = known[note];
  if (!flaws) flaws = std::make_unique<Flaws>(flaw_names(), TargetText::read(note));
  Request request;
  request.text = source;
  Translation found;
  found.text = translation;
  std::vector<Reason> reasons;
  for (const Problem& problem : flaws->of(request, found)) reasons.push_back(problem.reason);
  return reasons;
}
using Found = std::vector<Reason>;

TEST_CASE("a loop is one that the source has not") {
  CHECK(flaws("A man walks.", "Ein Mann geht und geht und geht und geht und geht.") ==
        Found{Reason::loop});
  CHECK(flaws("a very long word", "ein Operation-Tininininininin") == Found{Reason::loop});
  CHECK(flaws("hahahahahahaha", "hihihihihihihi") == Found{});
  CHECK(flaws("a hundred dots", "hundert Punkte ......................") == Found{});
  CHECK(flaws("no no no no no", "nein nein nein nein nein") == Found{});
  CHECK(flaws("Ha, ha, ha!", "Ha, ha, ha!") == Found{});
  CHECK(flaws("a very long night", "とてもとてもとてもとても長い夜", "Hani,Hira,Kana 1.3") ==
        Found{Reason::loop});
}

TEST_CASE("a copy is one of prose, and of no name, command or what is kept") {
  CHECK(flaws("a man walks here", "A man walks here.") == Found{Reason::copy});
  CHECK(flaws("誰が一番に着くか分かりません。", "誰が一番に着くか分かりません。",
              "Hani,Hira,Kana 1.3") == Found{Reason::copy});
  for (const char* same :
       {"Johann Sebastian Bach in Leipzig", "git remote set-url <name> <url> [--push]",
        "12 34 56 78 90", "東京都庁", "man walks here"})
    CHECK(flaws(same, same) == Found{});
  Flaws all(flaw_names(), TargetText::read("Latn 1"));
  Request request;
  request.text = "a man walks here";
  request.requirements.push_back({"man walks", {"man walks"}, true, {2, 11}});
  Translation found;
  found.text = request.text;
  CHECK(all.of(request, found).empty());
}

TEST_CASE("another script than that of the target text, beside names of the source") {
  CHECK(flaws("Moscow is far away.", "Москва далеко отсюда.") == Found{Reason::other_script});
  CHECK(flaws("It is called Москва", "Москва heißt es") == Found{});
  CHECK(flaws("Moscow is far away.", "Москва далеко отсюда.", " 1") == Found{});
  CHECK(flaws("Москва", "Москва") == Found{});
}

TEST_CASE("a length is far from the one that the source makes likely") {
  const std::string source = "A man in a blue shirt is standing on a ladder cleaning a window.";
  CHECK(flaws(source, "Ein Mann.") == Found{Reason::odd_length});
  CHECK(flaws("A man.", source + " " + source) == Found{Reason::odd_length});
  CHECK(flaws(source, "Ein Mann im blauen") == Found{Reason::odd_length});
  CHECK(flaws(source, "Ein Mann im blauen Hemd auf") == Found{});
  CHECK(flaws("connections and authentication", "Verbindung") == Found{});
  CHECK(flaws(source, "Ein Mann im blauen Hemd", "Latn 2") == Found{Reason::odd_length});
  CHECK(flaws("no", "keinesfalls") == Found{});
}

TEST_CASE("numbers that differ, but for those in words") {
  CHECK(flaws("It was in 1984.", "Es war 1948.") == Found{Reason::other_numbers});
  CHECK(flaws("She weighs 120 pounds.", "Sie wiegt hundertzwanzig Pfund.") == Found{});
  CHECK(flaws("Come at 2:30.", "Komm um halb drei.") == Found{});
  CHECK(flaws("Come at 2:30.", "Komm bald.") == Found{Reason::other_numbers});
}

TEST_CASE("flaws are looked for by their names") {
  const std::vector<std::string> names{"copies"};
  const Flaws some(names, {});
  Request request;
  request.text = "a man walks in 1984 1984 1984 1984";
  Translation found;
  found.text = request.text;
  CHECK(some.of(request, found) == std::vector<Problem>{{Reason::copy}});
  found.text = "x x x x x x 5";
  CHECK(some.of(request, found).empty());
}

TEST_CASE("a pipeline reports the flaws of each sentence that is translated") {
  const Flaws all(flaw_names(), {});
  LineModels models = made_up_models();
  models.flaws = &all;
  LineOptions options;
  options.sentences = "en";
  const std::string line = "The first one is here. A second one is there.";
  const auto walk = [&](const std::string& line, const std::string& text) {
    return Pipeline(options, models)
        .run(
            {&line, 1}, 1, {},
            [&](std::span<const Request> requests) {
              std::vector<Translated> found;
              for (const Request& r : requests) {
                Translated& each = found.emplace_back();
                each.best.resize(1);
                each.best[0].text = r.text.starts_with("A") ? r.text : text;
              }
              return found;
            },
            nullptr)[0]
        .text.problems;
  };
  CHECK(walk(line, "Hier ist das erste.").has({Reason::copy}));
  CHECK_FALSE(walk("The first one is here.", "Hier ist das erste.").has({Reason::copy}));
  CHECK_FALSE(walk("42 42 42 42 42", "-").has({Reason::loop, Reason::other_numbers}));  // it passes
}

TEST_CASE("the target text of a corpus is noted, and read again") {
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"one two three", "eins zwei drei vier"},
      {"x", "Жы"},
      {"four five six", "vier fünf sechs sieben acht"}};
  const TargetText learned = clean::learn_target_text(3, [&](std::size_t i) { return pairs[i]; });
  CHECK(learned.text() == "Latn 1.83");
  CHECK(TargetText::read(learned.text()).scripts == learned.scripts);
  const TargetText japanese = clean::learn_target_text(
      1, [](std::size_t) { return std::pair<std::string, std::string>("it is", "それです"); });
  CHECK(TargetText::read(japanese.text()).scripts.size() == 3);
  CHECK(clean::learn_target_text(0, nullptr).text() == " 1");
  for (const char* wrong :
       {"", "Latn", "Latn x", "Nope 1", "Latn 0", "Latn 1 2", "Latn nan", "Latn inf", "Latn, 1 "})
    CHECK_THROWS_AS(TargetText::read(wrong), Error);
}

}  // namespace
}  // namespace tt
