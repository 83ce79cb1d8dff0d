// The tensors of another program's file: taken one by one by their names and shapes, so that what
// is missing, of another shape, or left over is found.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/tensor.h"

namespace tt {

// Numbers that stay in their file until they are read, from any of them on.
struct StoredNumbers {
  std::uint64_t size = 0;
  std::function<void(std::uint64_t begin, std::span<float> to)> read;
};
// Compares them a stretch at a time.
bool operator==(const StoredNumbers& a, const StoredNumbers& b);

// A tensor in a file: its shape, and how its values are read when they are asked for: any stretch
// of them, or else only all.
struct ForeignTensor {
  Shape shape;
  std::function<std::vector<float>()> values;
  std::function<void(std::uint64_t begin, std::span<float> to)> read = {};
};

class ForeignTensors {
 public:
  // Those of a file of `bytes`, from which no more values are taken than it can hold in earnest: a
  // short file that claims much does not fill the memory.
  ForeignTensors(std::string path, std::uint64_t bytes) : path_(std::move(path)), bytes_(bytes) {}

  const std::string& path() const { return path_; }
  // Requires as many values as the shape says. Throws Error if there is one of that name already.
  void add(const std::string& name, ForeignTensor tensor);
  // Adds those of another file of the same model, without a `prefix` that all of them have.
  void take_over(ForeignTensors other, const std::string& prefix = "");
  // Another name of the same tensor. Throws Error if there is no `name`.
  void alias(const std::string& other, const std::string& name);

  bool has(const std::string& name) const { return tensors_.contains(name); }
  std::vector<std::string> names() const;
  // Throws Error if there is none.
  const Shape& shape(const std::string& name) const;
  // The first of the names that is there. Throws Error if none is.
  const std::string& first_of(const std::vector<std::string>& names) const;
  // How many there are called `before`, a number from 0 on, and `behind`. Throws Error if there is
  // not even the first, which `program` has.
  int layers(const std::string& before, const std::string& behind,
             const std::string& program) const;
  // Rows (0) or columns (1) of a matrix. Throws Error if it is none of a size that models have.
  int extent(const std::string& name, std::size_t dimension) const;
  // Throws Error if there is none, or it has another shape but for dimensions of 1.
  void check(const std::string& name, const Shape& expected) const;
  // Takes the values of a tensor after check(). Throws Error if one is not finite, or if more are
  // taken from the file than it can hold.
  std::vector<float> take(const std::string& name, const Shape& expected);
  // Takes a tensor, whatever its shape. Throws Error as above.
  std::vector<float> take(const std::string& name);
  // Takes a tensor as above, but leaves its values in the file. Reading them throws Error if one is
  // not finite.
  StoredNumbers later(const std::string& name, const Shape& expected);
  void ignore(const std::vector<std::string>& names);

  // Throws Error, naming the first, if there are tensors that nobody took: then the model has what
  // this one has not.
  void check_all_taken() const;

 private:
  struct Entry {
    ForeignTensor tensor;
    std::string same_as;
    bool taken = false;
  };
  Entry& find(const std::string& name);
  Entry& count(const std::string& name);
  std::string path_;
  std::uint64_t bytes_, taken_ = 0;
  std::map<std::string, Entry> tensors_;
};

// The path of a file of a model's folder. Throws Error if it is there, but is a pipe or a device: a
// reader would wait; and if no file can have a name of that length.
const std::string& file_of_model(const std::string& path);

// Numbers of 16 bits as float32.
float from_half(std::uint16_t bits);

// How numbers lie in a file, one behind the other.
enum class NumberType { float64, float32, float16, bfloat16, int8, int16, int32, int64 };
std::size_t size_of(NumberType type);
// Numbers from `begin` on as float32. Requires that the bytes hold so many. Those of a mapped file
// are forgotten where they are many (MappedFile::forget).
enum class NumbersIn { memory, mapped_file };
void read_numbers(std::string_view bytes, NumbersIn where, NumberType type, std::uint64_t begin,
                  std::span<float> to);

}  // namespace tt
