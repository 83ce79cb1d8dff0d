#include <algorithm>
#include <string>

#include "clean/pair_rules.h"
#include "text/placeholders.h"

namespace tt::clean {
bool repeats(const std::vector<std::uint64_t>& words, std::size_t times) {
  constexpr std::size_t kLongest = 8;
  for (std::size_t period = 1; period <= kLongest && period * times <= words.size(); ++period) {
    std::size_t same = 0;  // words that are those a period before
    for (std::size_t i = period; i < words.size(); ++i) {
      same = words[i] == words[i - period] ? same + 1 : 0;
      if (same == period * (times - 1)) return true;
    }
  }
  return false;
}

namespace {

// A text with another value in place of each placeholder, and spaces in place of escapes.
std::string with_values(std::string_view text) {
  std::string with;
  int values = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = placeholder_end(text, at);
    const std::string_view one = text.substr(at, end - at);
    if (end == at) with += text[at];
    else if (one.starts_with('\\')) with += ' ';
    else if (one == "%%") with += one;
    else with += "v" + std::to_string(values++);
    at = std::max(end, at + 1);
  }
  return with;
}

}  // namespace

bool repeats(const Side& side, double threshold) {
  const auto times = static_cast<std::size_t>(threshold);
  if (!repeats(side.words, times)) return false;  // as nearly always
  const std::string text = with_values(side.text);
  Side filled;
  read_side(text, filled);
  return repeats(filled.words, times);
}

bool repetition(const Pair& pair, double times) {
  return repeats(pair.source, times) || repeats(pair.target, times);
}

}  // namespace tt::clean
