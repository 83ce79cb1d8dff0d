// A matrix in a backend's memory: where it is, how wide, and what its elements are. It owns nothing
// and is copied like a pointer.
//
// Kernels take matrices (tensor/backend.h), and so a kernel that can read or write numbers in
// another type needs no argument more. Which types a backend's kernels prefer is in its Traits
// (tensor/traits.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#ifdef __CUDACC__
#define TT_ANYWHERE __host__ __device__
#else
#define TT_ANYWHERE
#endif

namespace tt {

using Bfloat16 = std::uint16_t;  // its bits: the upper half of a float32's

enum class ElementType : std::uint8_t {
  float32,
  bfloat16,  // rows are padded to whole multiples of 8 (row_stride())
  int8,  // W [k, n] of an Int8Product, in the order of tensor/int8.h, with a scale for each column
  panels,         // a W of a RowProduct in float32, in the order of tensor/panels.h
  paired_panels,  // these in bfloat16, where neighbours along k lie beside each other
};

// Elements from the beginning of a row to that of the next, where rows have no other gaps.
TT_ANYWHERE inline std::int64_t row_stride(ElementType type, std::int64_t columns) {
  return type == ElementType::bfloat16 ? (columns + 7) / 8 * 8 : columns;
}

// Row-major, but for panels of either type and int8, which have no stride. Void is void, or const
// void for a matrix that is only read.
template <class Void>
struct BasicMatrix {
  template <class T>
  using Element = std::conditional_t<std::is_const_v<Void>, const T, T>;

  Void* at = nullptr;  // null: there is none
  ElementType type = ElementType::float32;
  std::int64_t rows = 0, columns = 0;
  std::int64_t stride = 0;        // elements from the beginning of a row to that of the next
  const float* scales = nullptr;  // [columns], of int8

  template <class Const>
  requires(std::is_same_v<Const, const void> && !std::is_const_v<Void>)
  operator BasicMatrix<Const>() const {
    return {at, type, rows, columns, stride, scales};
  }
  TT_ANYWHERE explicit operator bool() const { return at != nullptr; }

  // The first element. Requires elements of this type.
  template <class T>
  TT_ANYWHERE Element<T>* as() const {
    return static_cast<Element<T>*>(at);
  }
  TT_ANYWHERE Element<float>* floats() const { return as<float>(); }
  TT_ANYWHERE bool is(ElementType of) const { return at != nullptr && type == of; }

  // Rows [begin, begin + n), and columns [begin, begin + n). Require float32 or bfloat16.
  BasicMatrix rows_from(std::int64_t begin, std::int64_t n) const {
    return moved(begin * stride, n, columns);
  }
  BasicMatrix columns_from(std::int64_t begin, std::int64_t n) const {
    return moved(begin, rows, n);
  }
  BasicMatrix moved(std::int64_t elements, std::int64_t n, std::int64_t d) const {
    BasicMatrix part = *this;
    if (type == ElementType::bfloat16) part.at = at ? as<Bfloat16>() + elements : nullptr;
    else part.at = at ? as<float>() + elements : nullptr;
    part.rows = n, part.columns = d;
    return part;
  }
};
using Matrix = BasicMatrix<void>;
using ConstMatrix = BasicMatrix<const void>;

// A matrix of float32; without a stride, rows follow each other.
inline Matrix float32(float* at, std::int64_t rows, std::int64_t columns, std::int64_t stride = 0) {
  return {at, ElementType::float32, rows, columns, stride ? stride : columns};
}
inline ConstMatrix float32(const float* at, std::int64_t rows, std::int64_t columns,
                           std::int64_t stride = 0) {
  return {at, ElementType::float32, rows, columns, stride ? stride : columns};
}

// A matrix of this type, of which row follows row.
inline Matrix matrix(void* at, ElementType type, std::int64_t rows, std::int64_t columns) {
  return {at, type, rows, columns, row_stride(type, columns)};
}
inline ConstMatrix matrix(const void* at, ElementType type, std::int64_t rows,
                          std::int64_t columns) {
  return {at, type, rows, columns, row_stride(type, columns)};
}

// Bytes of so many rows of a float32 or bfloat16 matrix.
inline std::size_t bytes_of(ElementType type, std::int64_t rows, std::int64_t columns) {
  return static_cast<std::size_t>(rows * row_stride(type, columns)) *
         (type == ElementType::bfloat16 ? sizeof(Bfloat16) : sizeof(float));
}

}  // namespace tt
