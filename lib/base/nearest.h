// What somebody who mistyped a name probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tt {

// The name nearest to `typed`, or "" if none is near: within two insertions, deletions, replacements or swaps of neighbours, and
// fewer than half of the letters of `typed`. Of equally near names it is the first.
std::string nearest(std::string_view typed, const std::vector<std::string>& names);

}  // namespace tt
