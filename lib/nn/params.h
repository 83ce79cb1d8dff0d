// Parameters: names and shapes, laid over one flat array of float32 in a backend's memory.
//
// Flat, so that the optimiser, the reduction over shards and the average are loops over one array. Every parameter begins at a
// multiple of 16 floats; the gaps are zero and stay zero. Gradients and moments have the same layout.
//
// Parameters are declared first, which takes no memory. Then they are either drawn (draw) or filled from a file (place, fill), and from
// then on have values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensor/device_array.h"
#include "tensor/tensor.h"

namespace tt {

// How a parameter begins.
enum class Init {
  zeros,
  ones,
  xavier,  // uniform in +-scale sqrt(6 / (rows + columns)) (Glorot and Bengio 2010)
  normal,  // normal with standard deviation `scale`
};

// A handle: which stretch of the flat array a parameter is. A vector has rows = 1.
struct Param {
  int index = -1;
  std::int64_t offset = 0, rows = 0, columns = 0;

  std::int64_t size() const { return rows * columns; }
  explicit operator bool() const { return index >= 0; }
};

class Params {
 public:
  // Declares a parameter. `blocks`: the matrix is so many matrices side by side, each drawn by its own shape. Requires that there are no
  // values yet.
  Param add(const std::string& name, std::int64_t rows, std::int64_t columns, Init init, float scale = 1, int blocks = 1);

  // Gives the parameters memory of the backend, which must outlive them, all zero. Throws Error if there is not enough.
  void place(const Backend& backend);
  // place(), and draws every parameter from Random(seed, its number).
  void draw(const Backend& backend, std::uint64_t seed);
  // Sets parameter `index` to what the host has. Requires place().
  void fill(int index, const float* from);
  // Parameter `index`, for the host; `scratch` is used where it must be copied.
  const float* view(int index, std::vector<float>& scratch) const {
    return values_.view(at(index).offset, at(index).size(), scratch);
  }

  std::int64_t size() const { return size_; }  // of the flat array, in floats
  std::int64_t count() const;                  // parameters proper, without the gaps
  int number() const { return static_cast<int>(entries_.size()); }
  Param at(int index) const { return entries_[static_cast<std::size_t>(index)].param; }

  // The backend that holds the values. Requires place().
  const Backend& backend() const { return *backend_; }

  // The values, on the device. Require place().
  float* values() const { return values_.data(); }
  float* of(Param p) const { return values_.data() + p.offset; }

  // Names and shapes, without data, in the order of declaration; vectors have one dimension.
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
  const Backend* backend_ = nullptr;
  DeviceArray<float> values_;
};

// The gradient of all parameters for one shard. A parameter's first contribution is written, later ones are added, so nothing has to
// be zeroed before.
class Gradients {
 public:
  Gradients(const Params& params, const Backend& backend)
      : params_(params), values_(backend, params.size()), written_(static_cast<std::size_t>(params.number())) {}

  float* values() const { return values_.data(); }  // on the device
  float* of(Param p) const { return values_.data() + p.offset; }
  // Whether a contribution to p must be added; from now on it must.
  bool accumulate(Param p) {
    const bool before = written_[static_cast<std::size_t>(p.index)];
    written_[static_cast<std::size_t>(p.index)] = 1;
    return before;
  }
  // Begins an update. Parameters that then get no contribution are zeroed by finish().
  void begin() { written_.assign(written_.size(), 0); }
  void finish(const Backend& backend);

 private:
  const Params& params_;
  DeviceArray<float> values_;
  std::vector<char> written_;
};

}  // namespace tt
