// The places at which a line of text may be broken, and its width.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tt::document {

// The bytes before which UTF-8 text may be broken (Unicode Standard Annex 14), from left to right:
// behind spaces and hyphens, before brackets, between Chinese characters; not its begin and end.
std::vector<std::size_t> line_breaks(std::string_view text);

// The columns of a terminal that text takes: two for each wide character of East Asia, as 漢, and
// none for marks upon letters.
std::size_t columns(std::string_view text);

}  // namespace tt::document
