// Printing text in which not everything can be seen.
#pragma once

#include <string>
#include <string_view>

namespace tt {

// True of characters that leave no ink or would disturb a table of text: controls, spaces other than U+0020, line and
// paragraph separators, format characters, variation selectors, private use and noncharacters.
bool is_invisible(char32_t character);

// The text with what cannot be seen written as \u{200B}, damaged bytes as \xFF, tab, LF and CR as \t, \n and \r, and the
// backslash as \\, so that the original can be read off. U+0020 stays.
std::string escape_invisible(std::string_view text);

}  // namespace tt
