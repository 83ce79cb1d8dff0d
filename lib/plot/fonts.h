// The warning about characters that no installed font has, which a picture shows as boxes.
#pragma once

#include <set>
#include <string>

namespace tt::plot {

// Lists the characters by script, with examples, and the Debian packages with fonts for them: "no
// installed font has Han (...): drawn as boxes; Debian has fonts for it in fonts-noto-cjk".
// Requires at least one character.
std::string missing_fonts(const std::set<char32_t>& characters);

}  // namespace tt::plot
