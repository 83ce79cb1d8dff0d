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
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  const auto escape = [&](unsigned value) {
    char escaped[5];
    std::snprintf(escaped, sizeof escaped, "\\x%02x", value);
    shown += escaped;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (byte(i) == 0xC2 && byte(i + 1) >= 0x80 && byte(i + 1) < 0xA0) escape(0xC2), escape(byte(++i));  // U+0080 to U+009F
    else if (byte(i) < 0x20 || byte(i) == 0x7f) escape(byte(i));
    else shown += text[i];
  }
  return shown;
}

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: internal error: %s does not hold; please report this\n", file, line, condition);
  std::abort();
}

}  // namespace tt
