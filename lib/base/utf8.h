// UTF-8: reading it character by character, and finding and repairing damage.
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

// The code point at `at`, which moves behind it, at most to `end`. A damaged place gives kReplacement, and `*damaged`, if there
// is one, becomes true. Requires at < end.
char32_t next_code_point(const char*& at, const char* end, bool* damaged = nullptr);

// Appends the code point in UTF-8. Requires a Unicode scalar value.
void append_utf8(std::string& to, char32_t code_point);

// The text with damaged places replaced by U+FFFD.
std::string repair_utf8(std::string_view text);

}  // namespace tt
