#include "base/error.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/formatted.h"
#include "base/utf8.h"

namespace tt {

namespace {

// Whether a character may harm a terminal or a log: controls, ends of lines, marks of direction and
// of byte order.
bool is_harmful(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x61C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

// Not inside a UTF-8 character.
std::size_t character_before(std::string_view text, std::size_t at) {
  const std::size_t least = at - std::min<std::size_t>(at, 3);
  while (at > least && at < text.size() && !begins_character(text[at])) --at;
  return at;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    const char* const from = at;
    bool damaged = false;
    if (const char32_t c = next_code_point(at, end, &damaged); !damaged && !is_harmful(c)) {
      shown.append(from, at);
      continue;
    }
    for (const char* byte = from; byte < at; ++byte) {
      shown += formatted("\\x%02x", static_cast<unsigned char>(*byte));
    }
  }
  return shown;
}

std::string in_quotes(std::string_view found) {
  constexpr std::size_t kMost = 80;
  if (found.size() <= kMost) return "\"" + printable(found) + "\"";
  return "\"" + printable(found.substr(0, character_before(found, kMost))) + "...\"";
}

std::string message(std::string_view text) {
  constexpr std::size_t kBegin = 3000, kEnd = 1000;  // the end says what is wrong and what to do
  std::string shown = printable(text);
  if (shown.size() <= kBegin + kEnd) return shown;
  return shown.substr(0, character_before(shown, kBegin)) + " ... " +
         shown.substr(character_before(shown, shown.size() - kEnd));
}

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: internal error: %s does not hold; please report this\n", file, line,
               condition);
  std::abort();
}

}  // namespace tt
