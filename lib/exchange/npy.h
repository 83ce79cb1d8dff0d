// Arrays of numpy: the header and the numbers of an .npy file, which are the members of an .npz.
//
// Source: numpy/lib/format.py, versions 1.0 to 3.0.
#pragma once

#include <string>
#include <string_view>

#include "exchange/foreign.h"

namespace tt {

// The place of an array in its file.
struct Array {
  std::string type = "f4";  // f, i, u or b, and the bytes of one number
  Shape shape;
  std::size_t begin = 0;  // of the numbers, which go to the end of the file

  std::string_view bytes(std::string_view file) const { return file.substr(begin); }
  // The numbers of the whole file. Throws Error, beginning with `name`, if they are of a type that
  // cannot be read.
  std::vector<float> numbers(std::string_view file, const std::string& name) const;
};

// The most bytes of a file that have its header.
inline constexpr std::size_t kNpyHeadMost = 1 << 16;

// Reads the header of a file of `size` bytes, whose first ones are `head`. Throws Error, beginning
// with `name`, if it is none, is longer or shorter than its header says, or lies column by column.
Array read_npy(std::string_view head, std::uint64_t size, const std::string& name);

// An .npy file of float32, or with `bytes` of int8.
std::string make_npy(const Shape& shape, const std::vector<float>& values);
std::string make_npy_of_bytes(std::string_view bytes);

}  // namespace tt
