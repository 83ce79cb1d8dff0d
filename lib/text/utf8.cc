#include "text/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace tt {
namespace {

// The length of the well-formed character at text[at]; if there is none, minus the length of the maximal subpart (1 to 3).
int character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned lead = byte(at);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return -1;
  const int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The second byte's range depends on the lead: this excludes overlong forms, surrogates and what is above U+10FFFF.
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(at + 1) < low || byte(at + 1) > high) return -1;
  for (int i = 2; i < length; ++i)
    if ((byte(at + i) & 0xC0) != 0x80) return -i;
  return length;
}

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

std::size_t first_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    std::uint64_t eight;
    if (at + sizeof eight <= text.size()) {  // most text is ASCII
      std::memcpy(&eight, text.data() + at, sizeof eight);
      if ((eight & 0x8080808080808080u) == 0) {
        at += sizeof eight;
        continue;
      }
    }
    const int length = character_length(text, at);
    if (length < 0) return at;
    at += static_cast<std::size_t>(length);
  }
  return std::string_view::npos;
}

char32_t next_character(std::string_view text, std::size_t& at, bool& valid) {
  const int length = character_length(text, at);
  const char* bytes = text.data() + at;
  if (length < 0) {
    at += static_cast<std::size_t>(-length);
    valid = false;
    return kReplacement;
  }
  at += static_cast<std::size_t>(length);
  const auto lead = static_cast<unsigned char>(bytes[0]);
  if (length == 1) return lead;
  char32_t character = lead & (0x7Fu >> length);
  for (int i = 1; i < length; ++i) character = character << 6 | (static_cast<unsigned char>(bytes[i]) & 0x3Fu);
  return character;
}

void append_utf8(std::string& to, char32_t c) {
  const auto put = [&](char32_t byte) { to.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6), put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F)), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
  }
}

std::string repair_utf8(std::string_view text) {
  std::string repaired;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t good = std::min(text.size() - at, first_invalid_utf8(text.substr(at)));
    repaired += text.substr(at, good);
    at += good;
    bool valid = true;
    if (at < text.size()) append_utf8(repaired, next_character(text, at, valid));
  }
  return repaired;
}

bool is_invisible(char32_t character) {
  const auto after = std::upper_bound(std::begin(kInvisible), std::end(kInvisible), character,
                                      [](char32_t c, const Range& range) { return c < range.first; });
  return after != std::begin(kInvisible) && character <= std::prev(after)->last;
}

std::string escape_invisible(std::string_view text) {
  std::string escaped;
  char code[16];
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    bool valid = true;
    const char32_t c = next_character(text, at, valid);
    if (!valid) {
      for (std::size_t i = begin; i < at; ++i) {
        std::snprintf(code, sizeof code, "\\x%02X", static_cast<unsigned>(static_cast<unsigned char>(text[i])));
        escaped += code;
      }
    } else if (c == '\t' || c == '\n' || c == '\r' || c == '\\') {
      escaped += c == '\t' ? "\\t" : c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\\\";
    } else if (is_invisible(c)) {
      std::snprintf(code, sizeof code, "\\u{%04X}", static_cast<unsigned>(c));
      escaped += code;
    } else {
      escaped += text.substr(begin, at - begin);
    }
  }
  return escaped;
}

}  // namespace tt
