// Which keys of its segment a query sees: what all kinds of attention have in common.
#pragma once

#include "cuda/rows.h"
#include "tensor/backend.h"

namespace tt::gpu {

__device__ inline std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

// Query i of a segment with so many keys sees those from first_seen() to before end_seen(), if
// there are any.
__device__ inline std::int64_t first_seen(const Attention& a, std::int64_t i) {
  return a.segments.window > 0 && i > a.segments.window ? i - a.segments.window : 0;
}
__device__ inline std::int64_t end_seen(const Attention& a, std::int64_t keys, std::int64_t i) {
  const std::int64_t end = a.causal ? smaller(i + 1, keys) : keys;
  return a.segments.window > 0 ? smaller(i + a.segments.window + 1, end) : end;
}

// The segment and head of a block, in a grid with a column of blocks for each of them.
struct SegmentHead {
  Segment s;
  std::int64_t number;  // of the segment
  int h;
  std::int64_t queries, keys;  // of the segment
};
__device__ inline SegmentHead segment_head(const Attention& a, unsigned column) {
  const unsigned heads = static_cast<unsigned>(a.heads);
  const Segment s = a.segments.at[column / heads];
  return {s, column / heads, static_cast<int>(column % heads), s.query_end - s.query_begin,
          s.key_end - s.key_begin};
}
__device__ inline SegmentHead segment_head(const Attention& a) {
  return segment_head(a, blockIdx.x);
}

// The beginning of the block [queries, keys] of this segment and head in blocks that stand as those
// of Attention::weights.
__device__ inline std::int64_t block_begin(const Attention& a, const SegmentHead& w) {
  std::int64_t begin = 0;
  for (std::int64_t i = 0; i < w.number; ++i) {
    const Segment& s = a.segments.at[i];
    begin += static_cast<std::int64_t>(a.heads) * (s.query_end - s.query_begin) *
             (s.key_end - s.key_begin);
  }
  return begin + w.h * w.queries * w.keys;
}

// The number that dropout has for the weight of query i and a key, both counted inside the segment.
__device__ inline std::uint64_t weight_number(const Attention& a, const SegmentHead& w,
                                              std::int64_t i, std::int64_t key) {
  const std::uint64_t query = static_cast<std::uint64_t>(w.s.query_begin + i);
  const std::uint64_t row =
      query * static_cast<std::uint64_t>(a.heads) + static_cast<std::uint64_t>(w.h);
  return (row << 16) + static_cast<std::uint64_t>(key);
}
__device__ inline float weight_factor(const Attention& a, const SegmentHead& w, std::int64_t i,
                                      std::int64_t key) {
  return a.dropout.rate == 0 ? 1 : dropout_factor(a.dropout, weight_number(a, w, i, key));
}

}  // namespace tt::gpu
