// Which keys of its segment a query sees: what all kinds of attention have in common.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/vec.h"

namespace tt {

// Keys [begin, end) of a segment.
struct SeenKeys {
  std::int64_t begin, end;

  std::int64_t count() const { return end - begin; }
  // The keys of the vectors that hold them.
  std::int64_t vector() const {
    return begin == end ? vector_end() : begin / vec::kWidth * vec::kWidth;
  }
  std::int64_t vector_end() const { return (end + vec::kWidth - 1) / vec::kWidth * vec::kWidth; }
};

// The keys that query `i` sees.
inline SeenKeys seen_keys(const Attention& a, const Segment& s, std::int64_t i) {
  SeenKeys seen = {0, s.key_end - s.key_begin};
  const std::int64_t window = a.segments.window;
  if (a.causal) seen.end = std::min(seen.end, i + 1);
  if (window > 0) {
    seen.end = std::min(seen.end, i + window + 1);
    seen.begin = std::clamp<std::int64_t>(i - window, 0, seen.end);
  }
  return seen;
}

}  // namespace tt
