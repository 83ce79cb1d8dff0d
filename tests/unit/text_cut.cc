// Cutting long texts: where, and that nothing is lost.
#include <algorithm>

#include "base/random.h"
#include "tests/catch.h"
#include "text/cut.h"

namespace tt {
namespace {

using Stretches = std::vector<std::string_view>;
std::size_t bytes(std::string_view text) { return text.size(); }

std::string without_spaces(std::string text) {
  for (const std::string_view space : {" ", "\u3000"})
    for (auto at = text.find(space); at != std::string::npos; at = text.find(space))
      text.erase(at, space.size());
  return text;
}
std::size_t bytes_of_words(std::string_view text) {
  return without_spaces(std::string(text)).size();
}

TEST_CASE("a text is cut at the ends of sentences, as many of which as fit stay together") {
  CHECK(split_text("One. Two! Three? Four", 100, bytes) == Stretches{"One. Two! Three? Four"});
  CHECK(split_text("One. Two! Three? Four", 7, bytes) ==
        Stretches{"One.", "Two!", "Three?", "Four"});
  CHECK(split_text("One. Two! Three? Four", 12, bytes) == Stretches{"One. Two!", "Three? Four"});
  CHECK(split_text("  He said \"Go.\" (Now.) 3.14 is pi.  ", 16, bytes) ==
        Stretches{"He said \"Go.\"", "(Now.)", "3.14 is pi."});
  CHECK(split_text("「行く。」と言った。雨。", 18, bytes) ==
        Stretches{"「行く。」", "と言った。", "雨。"});
  CHECK(split_text("", 5, bytes).empty());
  CHECK(split_text(" \t ", 5, bytes).empty());
}

TEST_CASE(
    "a sentence that does not fit is cut behind punctuation, then between words, then between "
    "characters") {
  CHECK(split_text("Short. If it rains, we stay; else not.", 14, bytes) ==
        Stretches{"Short.", "If it rains,", "we stay;", "else not."});
  CHECK(split_text("aa bb cc dd", 5, bytes) == Stretches{"aa bb", "cc dd"});
  CHECK(split_text("aaaaaaaa", 3, bytes) == Stretches{"aaa", "aaa", "aa"});
  CHECK(split_text("éé", 1, bytes) == Stretches{"é", "é"});
}

TEST_CASE("no text is lost where a long one is cut") {
  const std::string_view some[] = {"a", "bc", " ",  " ",      ". ",         "。",    "、",
                                   "!", "\"", ", ", "\u00E9", "\U0001F600", "\u3000"};
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    std::string text;
    for (std::uint32_t n = random.below(60); n > 0; --n)
      text += some[random.below(std::size(some))];
    for (const std::size_t most : {1, 4, 7, 20}) {
      std::string there;
      for (const std::string_view stretch : split_text(text, most, bytes_of_words)) {
        CHECK(bytes_of_words(stretch) <= std::max<std::size_t>(most, 4));
        there += stretch;
      }
      CHECK(without_spaces(there) == without_spaces(text));
    }
  }
}

}  // namespace
}  // namespace tt
