// What to say when no installed font has a character, so that a picture shows a box in its place.
#pragma once

#include <set>
#include <string>

namespace tt::plot {

// The characters by script, some of each, and the Debian packages that have fonts for them: "no installed font has Han (...):
// drawn as boxes; Debian has fonts for it in fonts-noto-cjk". Requires at least one character.
std::string missing_fonts(const std::set<char32_t>& characters);

}  // namespace tt::plot
