// UTF-8: where text is damaged, repairing it, and printing what cannot be seen.
//
// Well-formed is what The Unicode Standard, table 3-7, allows: no overlong forms, no surrogates, nothing above U+10FFFF. A
// damaged place is replaced by one U+FFFD per maximal subpart (same standard, section 3.9), as most programs do.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tt {

inline constexpr char32_t kReplacement = 0xFFFD;

// The position of the first byte that does not begin a well-formed character; npos if there is none.
std::size_t first_invalid_utf8(std::string_view text);

// The character at `at`, which moves behind it. A damaged place gives kReplacement, and `valid` becomes false; otherwise it
// is left alone. Requires at < text.size().
char32_t next_character(std::string_view text, std::size_t& at, bool& valid);

// Appends the character in UTF-8. Requires a Unicode scalar value.
void append_utf8(std::string& to, char32_t character);

// The text with damaged places replaced by U+FFFD.
std::string repair_utf8(std::string_view text);

// True of characters that leave no ink or would disturb a table of text: controls, spaces other than U+0020, line and
// paragraph separators, format characters, variation selectors, private use and noncharacters.
bool is_invisible(char32_t character);

// The text with what cannot be seen written as \u{200B}, damaged bytes as \xFF, tab, LF and CR as \t, \n and \r, and the
// backslash as \\, so that the original can be read off. U+0020 stays.
std::string escape_invisible(std::string_view text);

}  // namespace tt
