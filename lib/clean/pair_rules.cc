#include "clean/pair_rules.h"

#include <algorithm>

#include "text/placeholders.h"

namespace tt::clean {

bool empty(const Pair& pair, double) { return pair.source.length == 0 || pair.target.length == 0; }

bool stray(const Pair& pair, double) { return pair.source.stray || pair.target.stray; }

bool identical(const Pair& pair, double words) {
  return pair.source.key == pair.target.key &&
         pair.source.words.size() >= static_cast<std::size_t>(words);
}

bool too_long(const Pair& pair, double words) {
  constexpr std::size_t kCharacters = 20;  // of a word; four times what English has
  const auto most = static_cast<std::size_t>(words);
  return std::max(pair.source.words.size(), pair.target.words.size()) > most ||
         std::max(pair.source.length, pair.target.length) > kCharacters * most;
}

bool length_ratio(const Pair& pair, double ratio) {
  constexpr double kFree = 10;  // characters: "on" is "eingeschaltet"
  const auto [less, more] = std::minmax(pair.source.length, pair.target.length);
  return static_cast<double>(more) > ratio * static_cast<double>(less) + kFree;
}

bool placeholders(const Pair& pair, double) {
  return (pair.source.may_have_placeholders() || pair.target.may_have_placeholders()) &&
         !wrong_placeholders(pair.source.text, pair.target.text, "").empty();
}

}  // namespace tt::clean
