#include <string>

#include "base/capitals.h"
#include "clean/agreement.h"
#include "clean/pair_rules.h"

namespace tt::clean {
namespace {

std::vector<std::string> find(const Side& side) {
  constexpr std::string_view kHex = "0123456789abcdefABCDEF";
  std::vector<std::string> found;
  if (!side.has('\\')) return found;
  const std::string_view text = side.text;
  for (std::size_t at = 0; (at = text.find('\\', at)) != text.npos && ++at < text.size();) {
    const std::size_t digits = text[at] == 'u' ? 4 : text[at] == 'U' ? 8 : text[at] == 'x' ? 2 : 0;
    const std::string_view code = text.substr(at + 1, digits);
    if (digits > 0 && code.size() == digits && code.find_first_not_of(kHex) == code.npos)
      found.push_back(ascii_small(code));
    else ++at;  // that of a backslash
  }
  return found;
}

}  // namespace

bool escapes(const Pair& pair, double) {
  std::vector<std::string> source = find(pair.source), target = find(pair.target);
  return !same_things(source, target);
}

}  // namespace tt::clean
