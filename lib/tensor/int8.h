// Matrices of ElementType::int8 (Int8Product in tensor/backend.h), made from float32 on the host,
// the same on every processor.
//
// Column j of W gets the scale max |W[., j]| / 127, and each of its elements the nearest multiple
// of it, so that the largest error is 1/254 of the column's largest element. The layout is that of
// the file too (tt-model(5)): nothing is converted when it is read.
#pragma once

#include <span>
#include <string>

#include "base/error.h"
#include "tensor/backend.h"

namespace tt {

// Column j is in panel j / 16, of bytes [ceil(k / 4)][16][4]: four rows of each of its 16 columns,
// then the next four rows. kInt8Zero pads.
inline constexpr std::int64_t kInt8Columns = 16, kInt8Depth = 4, kMostInt8Depth = 1 << 16;
inline constexpr std::int32_t kInt8Zero = 128;

// The sizes of W [k, n]: panels of 16 columns, and groups of four rows in each.
inline std::int64_t int8_panels(std::int64_t n) { return (n + kInt8Columns - 1) / kInt8Columns; }
inline std::int64_t int8_groups(std::int64_t k) { return (k + kInt8Depth - 1) / kInt8Depth; }
inline std::int64_t int8_bytes(std::int64_t n, std::int64_t k) {
  return int8_panels(n) * int8_groups(k) * kInt8Columns * kInt8Depth;
}

inline ConstMatrix int8_matrix(std::int64_t n, std::int64_t k, const std::uint8_t* panels,
                               const float* scales) {
  return {panels, ElementType::int8, k, n, 0, scales};
}

// Throws Error if sums of k products of eight bits may not fit into 32.
inline void check_int8_depth(const std::string& name, std::int64_t k) {
  if (k > kMostInt8Depth)
    throw Error("'", name, "' adds up ", k, " products, but matrices in eight bits have at most ",
                kMostInt8Depth, "; use it in float32");
}

// Columns [begin, begin + n) of W. Requires that `begin` is a multiple of kInt8Columns.
inline ConstMatrix int8_columns_of(const ConstMatrix& w, std::int64_t begin, std::int64_t n) {
  return int8_matrix(n, w.rows, w.as<std::uint8_t>() + begin * int8_groups(w.rows) * kInt8Depth,
                     w.scales + begin);
}

// Writes some columns of W [k, .] to panels [int8_bytes(columns.size(), k)] and scales
// [columns.size()].
void choose_int8_columns(const ConstMatrix& w, std::span<const std::int32_t> columns,
                         std::uint8_t* panels, float* scales);

// Writes W [k, n], or the transpose of W [n, k], to panels [int8_bytes(n, k)] and scales [n]. A
// column with a value that is not finite gets a scale that is none either.
void quantize(bool transposed, std::int64_t n, std::int64_t k, const float* w, std::uint8_t* panels,
              float* scales);

// Writes columns [first, first + kInt8Columns) of W, or those that there are, as floats that their
// eight bits by quantize() stand for, to the same places of `rounded`. Requires that `first` is a
// multiple of kInt8Columns.
void round_to_int8(bool transposed, std::int64_t n, std::int64_t k, std::int64_t first,
                   const float* w, float* rounded);

}  // namespace tt
