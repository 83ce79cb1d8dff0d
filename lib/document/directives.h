// Directives in messages of programs, as %s, %(name)d, %1, {0} and $x, which a translation must
// have as well.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/words.h"

namespace tt::document {

// The error in the directives of a translation: "lacks %s"; empty if there is none. `format`:
// what a PO file calls it, as "c-format"; of formats that are not known nothing is wrong.
// Directives of c-format and its kin may be in another order where they are numbered (%2$s).
std::string wrong_directives(std::string_view source, std::string_view translation,
                             std::string_view format);

// Where directives stand in a text, from left to right; none of formats that are not known.
std::vector<TextRange> directives_in(std::string_view text, std::string_view format);

}  // namespace tt::document
