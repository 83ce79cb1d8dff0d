#include "base/nearest.h"

#include <algorithm>
#include <utility>

namespace tt {
namespace {

constexpr std::size_t kNear = 2, kLetters = 3;

// The number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
// (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1),
      row(b.size() + 1);  // for the prefixes of `a` with i - 2, i - 1 and i letters
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view typed, const std::vector<std::string>& names) {
  std::size_t least = std::min(kNear + 1, (typed.size() + 1) / 2);  // one more than the limit
  std::string best;
  const auto begins = [&](const std::string& name) { return name.starts_with(typed); };
  if (typed.size() >= kLetters && std::count_if(names.begin(), names.end(), begins) == 1)
    return *std::find_if(names.begin(), names.end(), begins);
  for (const std::string& name : names) {
    if (std::max(name.size(), typed.size()) - std::min(name.size(), typed.size()) > kNear) continue;
    if (const std::size_t distance = edit_distance(typed, name); distance < least)
      least = distance, best = name;
  }
  return best;
}

}  // namespace tt
