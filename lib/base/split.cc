#include "base/split.h"

#include <algorithm>

namespace tt {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

}  // namespace tt
