// Suggestions for mistyped names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tt {

// The name nearest to `typed`, or "" if none is near, that is, within two insertions, deletions, replacements or swaps of
// neighbours, and fewer than half the letters of `typed`. Ties go to the first.
std::string nearest(std::string_view typed, const std::vector<std::string>& names);

}  // namespace tt
