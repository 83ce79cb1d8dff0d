// UTF-8: decoding characters, and finding and repairing invalid bytes.
//
// Well-formed text is defined by table 3-7 of The Unicode Standard: no overlong forms, no
// surrogates, nothing above U+10FFFF. Invalid bytes are replaced by one U+FFFD per maximal subpart
// (section 3.9 of the standard), as in most programs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tt {

inline constexpr char32_t kReplacement = 0xFFFD;

// The position of the first byte that is not part of a well-formed character; npos if there is
// none.
std::size_t first_invalid_utf8(std::string_view text);

// Returns the code point at `at` and advances `at` past it, at most to `end`. Invalid bytes give
// kReplacement, and set `*damaged` unless it is null. Requires at < end.
char32_t next_code_point(const char*& at, const char* end, bool* damaged = nullptr);

// The code point at byte `at` of a text; `at` advances past it. Requires at < text.size().
inline char32_t code_point_at(std::string_view text, std::size_t& at) {
  const char* next = text.data() + at;
  const char32_t c = next_code_point(next, text.data() + text.size());
  at = static_cast<std::size_t>(next - text.data());
  return c;
}

// Whether a byte of well-formed text begins a character, that is, continues none.
inline bool begins_character(char byte) { return (byte & 0xC0) != 0x80; }

// Where the character begins whose last byte is before `at`. Requires at > 0.
inline std::size_t character_start(std::string_view text, std::size_t at) {
  do --at;
  while (at > 0 && !begins_character(text[at]));
  return at;
}

// The number of characters of well-formed text.
std::size_t count_characters(std::string_view text);

// Appends the code point in UTF-8. Requires a Unicode scalar value.
void append_utf8(std::string& to, char32_t code_point);

// The text with invalid bytes replaced by U+FFFD.
std::string repair_utf8(std::string_view text);

}  // namespace tt
