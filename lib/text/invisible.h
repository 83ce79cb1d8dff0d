// Printing text that contains invisible characters.
#pragma once

#include <string>
#include <string_view>

namespace tt {

// True for characters that leave no ink or would disturb a table of text: controls, spaces other than U+0020, line and paragraph
// separators, format characters, variation selectors, private use characters and noncharacters.
bool is_invisible(char32_t character);

// The text with invisible characters written as \u{200B}, invalid bytes as \xFF, tab, LF and CR as \t, \n and \r, and the
// backslash as \\, so that the original can be recovered. U+0020 is kept.
std::string escape_invisible(std::string_view text);
// The original. What is not written so stays as it is.
std::string unescape_invisible(std::string_view text);

}  // namespace tt
