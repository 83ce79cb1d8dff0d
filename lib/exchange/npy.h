// Arrays of numpy: the header and the numbers of an .npy file, which are the members of an .npz.
//
// Source: numpy/lib/format.py, versions 1.0 and 2.0.
#pragma once

#include <string>
#include <string_view>

#include "exchange/foreign.h"

namespace tt {

// An array of numbers, as float32; or its bytes, where it has numbers of 8 bits. Throws Error, beginning with `name`, if it is
// none, is damaged, of a type that cannot be read, or lies column by column.
struct Array {
  char kind = 'f';  // f, i, u or b
  int size = 4;     // bytes of one number
  Shape shape;
  std::string_view bytes;

  ForeignTensor numbers(const std::string& name) const;
};
// The bytes must live as long as the array.
Array read_npy(std::string_view bytes, const std::string& name);

// An .npy file of float32, or with `bytes` of int8.
std::string make_npy(const Shape& shape, const std::vector<float>& values);
std::string make_npy_of_bytes(std::string_view bytes);

}  // namespace tt
