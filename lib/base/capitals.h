// Capitals and small letters, as ICU has them.
#pragma once

#include <string>
#include <string_view>

namespace tt {

bool is_capital(char32_t c);  // categories Lu and Lt
// The small letter of a letter, and the one that begins a word of a title; of others themselves.
char32_t small_letter(char32_t c);
char32_t title_letter(char32_t c);
// A text in capitals, by the rules of no language; a letter may become several, as U+00DF.
std::string in_capitals(std::string_view text);
// The text with small letters in place of the capitals of ASCII.
std::string ascii_small(std::string_view text);

}  // namespace tt
