// Arrays of numpy: the header and the numbers of an .npy file, which are the members of an .npz.
//
// Source: numpy/lib/format.py, versions 1.0 to 3.0.
#pragma once

#include <string>
#include <string_view>

#include "exchange/foreign.h"

namespace tt {

// An array as it lies in a file.
struct Array {
  char kind = 'f';  // f, i, u or b
  int size = 4;     // bytes of one number
  Shape shape;
  std::string_view bytes;

  // As float32. Throws Error, beginning with `name`, if they are of a type that cannot be read.
  ForeignTensor numbers(const std::string& name) const;
};
// The bytes must live as long as the array. Throws Error, beginning with `name`, if it is none, is damaged, or lies column by
// column.
Array read_npy(std::string_view bytes, const std::string& name);

// An .npy file of float32, or with `bytes` of int8.
std::string make_npy(const Shape& shape, const std::vector<float>& values);
std::string make_npy_of_bytes(std::string_view bytes);

}  // namespace tt
