#include "clean/target_text.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/formatted.h"
#include "base/split.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "clean/pair.h"

namespace tt::clean {

std::string TargetText::text() const {
  return join(scripts, ",", script_name) + formatted(" %.3g", length);
}

TargetText TargetText::read(std::string_view text) {
  const std::size_t space = std::min(text.find(' '), text.size());
  TargetText found;
  for (std::string_view names = text.substr(0, space); !names.empty();) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    found.scripts.push_back(script_of_name(std::string(name)));
  }
  char* end = nullptr;
  const std::string number(text.substr(space));
  found.length = std::strtod(number.c_str(), &end);
  if (*end != '\0' || !(found.length >= 0.01 && found.length <= 100) ||
      std::ranges::find(found.scripts, -1) != found.scripts.end())
    throw Error(in_quotes(text), " is no note on a target text, as \"Latn 1.08\"");
  return found;
}

TargetText learn_target_text(
    std::size_t count,
    const std::function<std::pair<std::string, std::string>(std::size_t)>& pair) {
  constexpr std::size_t kPairs = 10000;
  const std::size_t asked = std::min(count, kPairs);
  std::map<int, std::size_t> letters;
  std::size_t all = 0, lengths = 0;
  double logarithms = 0;
  for (std::size_t i = 0; i < asked; ++i) {
    const auto [source, target] = pair(i * count / asked);
    const char *at = target.data(), *const end = at + target.size();
    while (at < end)
      if (const char32_t c = next_code_point(at, end); is_letter(c)) ++letters[script_of(c)], ++all;
    Side one, other;
    read_side(source, one), read_side(target, other);
    if (one.length == 0 || other.length == 0) continue;
    ++lengths;
    logarithms += std::log(static_cast<double>(other.length) / static_cast<double>(one.length));
  }
  TargetText found;
  for (const auto& [script, number] : letters)
    if (10 * number >= all) found.scripts.push_back(script);
  // A short line may have katakana alone.
  for (const int japanese : scripts_of_language("ja"))
    if (std::ranges::find(found.scripts, script_of(U'の')) != found.scripts.end() &&
        std::ranges::find(found.scripts, japanese) == found.scripts.end())
      found.scripts.push_back(japanese);
  if (lengths > 0)
    found.length = std::clamp(std::exp(logarithms / static_cast<double>(lengths)), 0.01, 100.0);
  return found;
}

}  // namespace tt::clean
