#include "clean/hash_set.h"

#include <utility>

namespace tt::clean {

// The place of a hash, or the free one for it. Requires that there is a free one.
std::size_t HashSet::find(std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  hash += hash == 0;
  std::size_t at = hash & mask;
  while (slots_[at] != 0 && slots_[at] != hash) at = (at + 1) & mask;
  return at;
}

bool HashSet::insert(std::uint64_t hash) {
  std::size_t at = find(hash);
  if (slots_[at] != 0) return false;
  if (4 * (size_ + 1) > 3 * slots_.size()) {
    if (!grow()) return ++left_out_, true;
    at = find(hash);
  }
  slots_[at] = hash + (hash == 0);
  ++size_;
  return true;
}

bool HashSet::grow() {
  if (3 * slots_.size() > most_) return false;  // both tables are in memory for a while
  const std::vector<std::uint64_t> old =
      std::exchange(slots_, std::vector<std::uint64_t>(2 * slots_.size()));
  for (const std::uint64_t hash : old)
    if (hash != 0) slots_[find(hash)] = hash;
  return true;
}

}  // namespace tt::clean
