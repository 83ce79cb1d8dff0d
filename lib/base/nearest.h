// Suggestions for mistyped names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tt {

// The only name that begins with `typed`, of three letters or more; or else the nearest, or "" if
// none is near, that is, within two insertions, deletions, replacements or swaps of neighbours, and
// fewer than half the letters of `typed`. Ties go to the first.
std::string nearest(std::string_view typed, const std::vector<std::string>& names);

}  // namespace tt
