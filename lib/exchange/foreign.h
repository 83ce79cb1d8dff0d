// The tensors of another program's file: taken one by one by their names and shapes, so that what is missing, of another shape,
// or left over is found.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/tensor.h"

namespace tt {

struct ForeignTensor {
  Shape shape;
  std::vector<float> values;
};

class ForeignTensors {
 public:
  explicit ForeignTensors(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  // Requires values of the shape's size. Throws Error if there is one of that name already.
  void add(const std::string& name, ForeignTensor tensor);
  // Another name of the same tensor. Throws Error if there is no `name`.
  void alias(const std::string& other, const std::string& name);

  bool has(const std::string& name) const { return tensors_.contains(name); }
  // Throws Error if there is none.
  const Shape& shape(const std::string& name) const;
  // Takes the values of a tensor, whose shape must be the expected one but for dimensions of 1. Throws Error if not, if it is not
  // there, or has a value that is not finite.
  const std::vector<float>& take(const std::string& name, const Shape& expected);
  // Takes a tensor, whatever its shape. Throws Error as above.
  const ForeignTensor& take(const std::string& name);
  void ignore(const std::string& name);

  // Throws Error, naming the first, if there are tensors that nobody took: then the model has what this one has not.
  void check_all_taken() const;

 private:
  struct Entry {
    ForeignTensor tensor;
    std::string same_as;
    bool taken = false;
  };
  Entry& find(const std::string& name);
  std::string path_;
  std::map<std::string, Entry> tensors_;
};

// Throws Error if the bytes are what a download may give instead of a large file: a pointer of Git LFS, or a web page.
void check_downloaded(std::string_view bytes, const std::string& path);

// The path of a file of a model's folder. Throws Error if it is there, but is a pipe or a device: a reader would wait.
const std::string& file_of_model(const std::string& path);

// Numbers of 16 bits as float32.
float from_half(std::uint16_t bits);

}  // namespace tt
