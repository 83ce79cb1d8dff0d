// A tensor: a pointer, a type and a shape. It owns nothing and is copied like a pointer.
//
// Row-major and dense: the last index is contiguous. Most tensors are matrices [rows, columns] of
// float32; rows are the tokens of all sentences of a batch, one after another (packed, without
// padding).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"

namespace tt {

enum class Dtype { f32, i32, u8 };

inline std::size_t size_of(Dtype type) { return type == Dtype::u8 ? 1 : 4; }

// One, two or more dimensions; a vector [n] has one dimension.
using Shape = std::vector<std::int64_t>;

inline std::int64_t elements(const Shape& shape) {
  std::int64_t n = 1;
  for (auto d : shape) n *= d;
  return n;
}

inline std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

// A tensor in a file or among the parameters, by name.
struct NamedTensor {
  std::string name;
  Dtype type = Dtype::f32;
  Shape shape;
  const void* data = nullptr;

  std::size_t bytes() const { return static_cast<std::size_t>(elements(shape)) * size_of(type); }
};

}  // namespace tt
