// Parameters: names and shapes, laid over one flat array of float32 in a backend's memory.
//
// Flat, so that the optimiser, the reduction over shards and the average are loops over one array. Every parameter begins at a
// multiple of 16 floats; the gaps are zero and stay zero. Gradients and moments have the same layout.
//
// Parameters are declared first, which takes no memory. Then they are either drawn (draw) or filled from a file (place, fill), and from
// then on have values.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tensor/device_array.h"
#include "tensor/tensor.h"

namespace tt {

// How a parameter begins.
enum class Init {
  zeros,
  ones,
  forget,  // ones in the second quarter of the columns, else zeros: gates of long short-term memory that begin by keeping what there is
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
  // Leaves parameter `index` where the host has it, for inference: it must stay there and as it is. Requires backend.is_host(), and that
  // all parameters are borrowed.
  void borrow(const Backend& backend, int index, const float* from);

  // Lets matrices be packed for products when they are first used in inference. Their values must not change any more.
  void freeze();
  // W = p, or its transpose, packed (Pack in tensor/backend.h); null where it is not: the parameters are not frozen, or the backend does
  // not pack. Any number of threads may ask.
  const void* packed(Param p, bool transposed) const;
  // Parameter `index`, for the host; `scratch` is used where it must be copied.
  const float* view(int index, std::vector<float>& scratch) const;

  std::int64_t size() const { return size_; }  // of the flat array, in floats
  std::int64_t count() const;                  // parameters proper, without the gaps
  int number() const { return static_cast<int>(entries_.size()); }
  Param at(int index) const { return entries_[static_cast<std::size_t>(index)].param; }

  // The backend that holds the values. Requires place().
  const Backend& backend() const { return *backend_; }

  // The values, on the device: all of them, which requires place(), and one.
  float* values() const { return values_.data(); }
  const float* of(Param p) const { return at_[static_cast<std::size_t>(p.index)]; }

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
  struct Packed {
    std::once_flag once;
    DeviceArray<float> matrix;
  };
  const Backend* backend_ = nullptr;
  DeviceArray<float> values_;
  std::vector<const float*> at_;              // each parameter
  mutable std::unique_ptr<Packed[]> packed_;  // two for each parameter, as it is and transposed
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
