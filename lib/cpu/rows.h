// Rows of matrices of any type as float32, for kernels that compute row by row.
#pragma once

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "tensor/bfloat16.h"
#include "tensor/matrix.h"

namespace tt {

class RowReader {
 public:
  explicit RowReader(const ConstMatrix& of)
      : of_(of), room_(static_cast<std::size_t>(of.is(ElementType::bfloat16) ? of.columns : 0)) {}
  // Row r, until the next call; null if there is no matrix.
  const float* row(std::int64_t r) {
    if (!of_) return nullptr;
    if (of_.type == ElementType::float32) return of_.floats() + r * of_.stride;
    const auto* from = of_.as<Bfloat16>() + r * of_.stride;
    std::transform(from, from + of_.columns, room_.begin(), widen);
    return room_.data();
  }

 private:
  ConstMatrix of_;
  std::vector<float> room_;
};

class RowWriter {
 public:
  // Writes the rows of a result, and of its copy, if there is one.
  explicit RowWriter(const Matrix& to, const Matrix& copy = {})
      : to_(to), copy_(copy),
        room_(static_cast<std::size_t>(to.is(ElementType::bfloat16) ? to.columns : 0)) {}
  // Where row r is to be computed; null if there is no matrix.
  float* row(std::int64_t r) {
    if (!to_) return nullptr;
    return to_.type == ElementType::float32 ? to_.floats() + r * to_.stride : room_.data();
  }
  // Row r is there.
  void put(std::int64_t r) {
    if (to_.is(ElementType::bfloat16)) round(to_, r, room_.data());
    if (copy_) round(copy_, r, row(r));
  }

 private:
  static void round(const Matrix& to, std::int64_t r, const float* row) {
    TT_CHECK(to.type == ElementType::bfloat16);
    auto* at = to.as<Bfloat16>() + r * to.stride;
    std::fill(std::transform(row, row + to.columns, at, nearest_bfloat16),
              at + row_stride(to.type, to.columns), Bfloat16{0});
  }

  Matrix to_, copy_;
  std::vector<float> room_;
};

}  // namespace tt
