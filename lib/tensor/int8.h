// Matrices in eight bits (Int8Matrix in tensor/backend.h), made from float32 on the host, the same on every processor.
//
// Column j of W gets the scale max |W[., j]| / 127, and each of its elements the nearest multiple of it, so that the largest
// error is 1/254 of the column's largest element. The layout is that of the file too (tt-model(5)): nothing is converted when it
// is read.
#pragma once

#include <string>

#include "base/error.h"
#include "tensor/backend.h"

namespace tt {

// The sizes of an Int8Matrix [k, n]: panels of 16 columns, and groups of four rows in each.
inline std::int64_t int8_panels(std::int64_t n) { return (n + kInt8Columns - 1) / kInt8Columns; }
inline std::int64_t int8_groups(std::int64_t k) { return (k + kInt8Depth - 1) / kInt8Depth; }
inline std::int64_t int8_bytes(std::int64_t n, std::int64_t k) {
  return int8_panels(n) * int8_groups(k) * kInt8Columns * kInt8Depth;
}

// Throws Error if sums of k products of eight bits may not fit into 32.
inline void check_int8_depth(const std::string& name, std::int64_t k) {
  if (k > kMostInt8Depth)
    throw Error("'", name, "' adds up ", k, " products, but matrices in eight bits have at most ", kMostInt8Depth,
                "; use it in float32");
}

// Columns [begin, begin + n) of W. Requires that `begin` is a multiple of kInt8Columns.
inline Int8Matrix columns_of(const Int8Matrix& w, std::int64_t begin, std::int64_t n) {
  return {n, w.k, w.panels + begin * int8_groups(w.k) * kInt8Depth, w.scales + begin};
}

// Writes W [k, n], or the transpose of W [n, k], to panels [int8_bytes(n, k)] and scales [n]. A column with a value that is not
// finite gets a scale that is none either.
void quantize(bool transposed, std::int64_t n, std::int64_t k, const float* w, std::uint8_t* panels, float* scales);

}  // namespace tt
