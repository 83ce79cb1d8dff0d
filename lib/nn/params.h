// Parameters: one flat array of float32 with names and shapes laid over it.
//
// Flat, so that the optimiser, the reduction over shards and the average are loops over one array. Every parameter begins at a
// multiple of 16 floats; the gaps are zero and stay zero. Gradients have the same layout.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tensor/tensor.h"

namespace tt {

// How a parameter begins.
enum class Init {
  zeros,
  ones,
  xavier,     // uniform in +-scale sqrt(6 / (rows + columns)) (Glorot and Bengio 2010)
  normal,     // normal with standard deviation `scale`
  positions,  // not drawn: filled in by the model
};

// A handle: which stretch of the flat array a parameter is. A vector has rows = 1.
struct Param {
  int index = -1;
  std::int64_t offset = 0, rows = 0, columns = 0;

  std::int64_t size() const { return rows * columns; }
  explicit operator bool() const { return index >= 0; }
};

// A flat array of floats, aligned to 64 bytes and zeroed.
using FloatArray = std::unique_ptr<float[], void (*)(float*)>;
FloatArray make_floats(std::int64_t size);  // Throws std::bad_alloc.

class Params {
 public:
  // Declares a parameter. `blocks`: the matrix is so many matrices side by side, each drawn by its own shape.
  Param add(const std::string& name, std::int64_t rows, std::int64_t columns, Init init, float scale = 1, int blocks = 1);
  // Allocates the array and draws every parameter from Random(seed, its number). Requires that all are declared.
  void create(std::uint64_t seed);

  std::int64_t size() const { return size_; }  // of the flat array, in floats
  std::int64_t count() const;                  // parameters proper, without the gaps
  int number() const { return static_cast<int>(entries_.size()); }
  float* values() const { return values_.get(); }
  float* of(Param p) const { return values_.get() + p.offset; }

  // Names, shapes and places, in the order of declaration; vectors have one dimension.
  std::vector<NamedTensor> tensors() const;

 private:
  struct Entry {
    std::string name;
    Param param;
    Init init;
    float scale;
    int blocks;
  };
  std::vector<Entry> entries_;
  std::int64_t size_ = 0;
  FloatArray values_{nullptr, nullptr};
};

// The gradient of all parameters for one shard. A parameter's first contribution is written, later ones are added, so nothing has to
// be zeroed before.
class Gradients {
 public:
  explicit Gradients(const Params& params)
      : values_(make_floats(params.size())), written_(static_cast<std::size_t>(params.number())) {}

  float* values() const { return values_.get(); }
  float* of(Param p) const { return values_.get() + p.offset; }
  // Whether a contribution to p must be added; from now on it must.
  bool accumulate(Param p) {
    const bool before = written_[static_cast<std::size_t>(p.index)];
    written_[static_cast<std::size_t>(p.index)] = 1;
    return before;
  }
  // Begins an update. Parameters that then get no contribution are zeroed by finish().
  void begin() { written_.assign(written_.size(), 0); }
  void finish(const Params& params);

 private:
  FloatArray values_;
  std::vector<char> written_;
};

}  // namespace tt
