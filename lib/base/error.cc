#include "base/error.h"

#include <cstdio>
#include <cstdlib>

namespace tt {

std::string in_quotes(std::string_view found) {
  constexpr std::size_t kMost = 80;
  std::size_t end = found.size();
  if (end > kMost)  // not inside a UTF-8 character
    for (end = kMost; end > kMost - 4 && (static_cast<unsigned char>(found[end]) & 0xC0) == 0x80;) --end;
  return "\"" + printable(found.substr(0, end)) + (end < found.size() ? "...\"" : "\"");
}

std::string printable(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    char escaped[5];
    if (byte < 0x20 || byte == 0x7f) shown += (std::snprintf(escaped, sizeof escaped, "\\x%02x", byte), escaped);
    else shown += c;
  }
  return shown;
}

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: internal error: %s does not hold; please report this\n", file, line, condition);
  std::abort();
}

}  // namespace tt
