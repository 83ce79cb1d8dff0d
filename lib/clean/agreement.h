// How far two sides have the same things.
#pragma once

#include <algorithm>
#include <vector>

namespace tt::clean {

// Takes out of two lists, in any order, what both have, and returns how many pairs that were. What
// is left is sorted.
template <class T>
std::size_t take_shared(std::vector<T>& one, std::vector<T>& other) {
  std::sort(one.begin(), one.end()), std::sort(other.begin(), other.end());
  auto a = one.begin(), b = other.begin(), kept_a = a, kept_b = b;
  std::size_t shared = 0;
  while (a != one.end() && b != other.end()) {
    if (*a < *b) *kept_a++ = *a++;
    else if (*b < *a) *kept_b++ = *b++;
    else ++a, ++b, ++shared;
  }
  one.erase(kept_a, a), other.erase(kept_b, b);
  return shared;
}

template <class T>
bool same_things(std::vector<T>& one, std::vector<T>& other) {
  take_shared(one, other);
  return one.empty() && other.empty();
}

}  // namespace tt::clean
