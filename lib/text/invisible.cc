#include "text/invisible.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <iterator>

#include "base/utf8.h"

namespace tt {
namespace {

struct Range {
  char32_t first, last;
};

// Unicode 15: categories Cc, Cf, Zl, Zp, Co and Cn's noncharacters, Zs without U+0020, and Default_Ignorable_Code_Point.
constexpr Range kInvisible[] = {
    {0x0000, 0x001F},    {0x007F, 0x00A0},   {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x0600, 0x0605},   {0x061C, 0x061C},
    {0x06DD, 0x06DD},    {0x070F, 0x070F},   {0x0890, 0x0891},   {0x08E2, 0x08E2},   {0x115F, 0x1160},   {0x1680, 0x1680},
    {0x17B4, 0x17B5},    {0x180B, 0x180F},   {0x2000, 0x200F},   {0x2028, 0x202F},   {0x205F, 0x206F},   {0x2800, 0x2800},
    {0x3000, 0x3000},    {0x3164, 0x3164},   {0xE000, 0xF8FF},   {0xFDD0, 0xFDEF},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0},    {0xFFF0, 0xFFFB},   {0xFFFE, 0xFFFF},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F},
    {0x1BCA0, 0x1BCA3},  {0x1D173, 0x1D17A}, {0x1FFFE, 0x1FFFF}, {0x2FFFE, 0x2FFFF}, {0x3FFFE, 0x3FFFF}, {0xE0000, 0xE0FFF},
    {0xF0000, 0x10FFFF},
};

}  // namespace

bool is_invisible(char32_t character) {
  const auto after = std::upper_bound(std::begin(kInvisible), std::end(kInvisible), character,
                                      [](char32_t c, const Range& range) { return c < range.first; });
  return after != std::begin(kInvisible) && character <= std::prev(after)->last;
}

std::string escape_invisible(std::string_view text) {
  std::string escaped;
  char code[16];
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    const char* const begin = at;
    bool damaged = false;
    const char32_t c = next_code_point(at, end, &damaged);
    if (damaged) {
      for (const char* byte = begin; byte < at; ++byte) {
        std::snprintf(code, sizeof code, "\\x%02X", static_cast<unsigned>(static_cast<unsigned char>(*byte)));
        escaped += code;
      }
    } else if (c == '\t' || c == '\n' || c == '\r' || c == '\\') {
      escaped += c == '\t' ? "\\t" : c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\\\";
    } else if (is_invisible(c)) {
      std::snprintf(code, sizeof code, "\\u{%04X}", static_cast<unsigned>(c));
      escaped += code;
    } else {
      escaped.append(begin, at);
    }
  }
  return escaped;
}

std::string unescape_invisible(std::string_view text) {
  std::string original;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    constexpr std::string_view kNames = "tnr\\", kCharacters = "\t\n\r\\";
    const std::size_t named = rest.size() > 1 && rest[0] == '\\' ? kNames.find(rest[1]) : std::string_view::npos;
    std::size_t digits = 0;  // hexadecimal
    const bool byte = rest.starts_with("\\x"), code = rest.starts_with("\\u{");
    const std::string_view number = rest.substr(byte ? 2 : code ? 3 : rest.size());
    while (digits < number.size() && digits < (byte ? 2u : 6u) && std::isxdigit(static_cast<unsigned char>(number[digits])))
      ++digits;
    unsigned value = 0;
    std::from_chars(number.data(), number.data() + digits, value, 16);
    if (named != std::string_view::npos) {
      original += kCharacters[named], i += 2;
    } else if (byte && digits == 2) {
      original += static_cast<char>(value), i += 4;
    } else if (code && digits >= 4 && number.substr(digits).starts_with('}') && value <= 0x10FFFF) {
      append_utf8(original, static_cast<char32_t>(value)), i += 4 + digits;
    } else {
      original += text[i++];
    }
  }
  return original;
}

}  // namespace tt
