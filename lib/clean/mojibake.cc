#include "clean/mojibake.h"

#include <array>

#include "base/utf8.h"

namespace tt::clean {
namespace {

// The characters of Windows-1252 from 0x80 to 0x9F; 0 where it has none.
constexpr std::array<char32_t, 32> kWindows = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

// The byte, 0x80 to 0xBF, that a character was taken for; 0 if for none.
unsigned byte_of(char32_t c) {
  if (c >= 0x80 && c <= 0xBF) return c;
  for (unsigned i = 0; c >= 0x100 && i < kWindows.size(); ++i)
    if (kWindows[i] == c) return 0x80 + i;
  return 0;
}

// A letter or sign of some alphabet, or punctuation; of rare blocks none, since a capital before a
// quotation mark may look like one of their characters.
bool is_common(char32_t c) {
  return (c >= 0xA0 && c <= 0x17F) || (c >= 0x386 && c <= 0x3CE) || (c >= 0x410 && c <= 0x45F) ||
         (c >= 0x5D0 && c <= 0x5EA) || (c >= 0x621 && c <= 0x64A) || (c >= 0x900 && c <= 0xE7F) ||
         (c >= 0x2010 && c <= 0x22FF) || (c >= 0x3001 && c <= 0x30FF) ||
         (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7A3) ||
         (c >= 0x1F000 && c <= 0x1FAFF);
}

}  // namespace

bool is_mojibake(std::string_view text) {
  const char *at = text.data(), *const end = at + text.size();
  int doubtful = 0;
  while (at < end) {
    // The first bytes of U+00C2 to U+00F4, and of U+FFFD.
    if (const auto byte = static_cast<unsigned char>(*at); byte != 0xC3 && byte != 0xEF) {
      ++at;
      continue;
    }
    const char32_t lead = next_code_point(at, end);
    if (lead == kReplacement) return true;
    if (lead < 0xC2 || lead > 0xF4) continue;
    const int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t c = lead & (0x7Fu >> length);
    const char* next = at;
    int found = 1;
    for (; found < length && next < end; ++found) {
      const unsigned byte = byte_of(next_code_point(next, end));
      if (byte == 0) break;
      c = c << 6 | (byte & 0x3F);
    }
    if (found < length || !is_common(c)) continue;
    // Letters of Western Europe, and quotation marks; others may be there by chance once.
    if (lead == 0xC2 || lead == 0xC3 || lead == 0xE2 || ++doubtful == 2) return true;
    at = next;
  }
  return false;
}

}  // namespace tt::clean
