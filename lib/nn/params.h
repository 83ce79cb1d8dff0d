// Parameters: names and shapes, laid over one flat array of float32 in a backend's memory.
//
// The array is flat so that the optimiser, the reduction over shards and averaging are loops over one array. Every parameter
// starts at a multiple of 16 floats; the gaps are always zero. Gradients and moments have the same layout.
//
// Parameters are first declared, which takes no memory. They get values by random initialisation (draw) or from a file (place and
// fill, or borrow).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tensor/device_array.h"
#include "tensor/tensor.h"

namespace tt {

// The initial values of a parameter.
enum class Init {
  zeros,
  ones,
  forget,  // ones in the second quarter of the columns, otherwise zeros: LSTM gates that initially keep the cell state
  xavier,  // uniform in +-scale sqrt(6 / (rows + columns)) (Glorot and Bengio 2010)
  normal,  // normal with standard deviation `scale`
};

// A handle: the range of the flat array that is a parameter. A vector has rows = 1.
struct Param {
  int index = -1;
  std::int64_t offset = 0, rows = 0, columns = 0;

  std::int64_t size() const { return rows * columns; }
  explicit operator bool() const { return index >= 0; }
};

class Params {
 public:
  // Declares a parameter. `blocks`: the number of matrices side by side in it, each initialised by its own shape. Requires that
  // there are no values yet.
  Param add(const std::string& name, std::int64_t rows, std::int64_t columns, Init init, float scale = 1, int blocks = 1);

  // Allocates the parameters, all zero, in memory of the backend, which must outlive them. Throws Error if there is not enough.
  void place(const Backend& backend);
  // place(), and initialises every parameter from Random(seed, its number).
  void draw(const Backend& backend, std::uint64_t seed);
  // Sets parameter `index` from host data. Requires place().
  void fill(int index, const float* from);
  // Uses parameter `index` in place in host memory, for inference: it must stay there unchanged. Requires backend.is_host(), and
  // that all parameters are borrowed.
  void borrow(const Backend& backend, int index, const float* from);

  // Allows matrices to be packed for products when first used in inference. Their values must not change any more.
  void freeze();
  // W = p, or its transpose, packed (Pack in tensor/backend.h); null if the parameters are not frozen or the backend does not
  // pack. Thread-safe.
  const void* packed(Param p, bool transposed) const;
  // Keeps a rounded copy of all values if the backend rounds (Round in tensor/backend.h), otherwise does nothing. Code that changes
  // values() later must update rounded() too; fill() does not, so this must be called again after it.
  void keep_rounded();
  // The rounded copy of p, or null if there is none or its rows are not multiples of 8.
  const Bfloat16* rounded(Param p) const { return rounded_.size() > 0 && p.columns % 8 == 0 ? rounded() + p.offset : nullptr; }
  // The rounded copy of all values, with the same layout, or null.
  Bfloat16* rounded() const { return reinterpret_cast<Bfloat16*>(rounded_.data()); }
  // Parameter `index`, for the host; copied to `scratch` if necessary.
  const float* view(int index, std::vector<float>& scratch) const;

  std::int64_t size() const { return size_; }  // of the flat array, in floats
  std::int64_t count() const;                  // number of parameters, without the gaps
  int number() const { return static_cast<int>(entries_.size()); }
  Param at(int index) const { return entries_[static_cast<std::size_t>(index)].param; }

  // The backend that holds the values. Requires place().
  const Backend& backend() const { return *backend_; }

  // The values, on the device: all of them (requires place()), or of one parameter.
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
  DeviceArray<float> rounded_;                // two values per float; empty if not kept
  std::vector<const float*> at_;              // of each parameter
  mutable std::unique_ptr<Packed[]> packed_;  // two for each parameter, as it is and transposed
};

// The gradient of all parameters for one shard. The first contribution to a parameter is written, later ones are added, so
// nothing has to be zeroed.
class Gradients {
 public:
  Gradients(const Params& params, const Backend& backend)
      : params_(params), values_(backend, params.size()), written_(static_cast<std::size_t>(params.number())) {}

  float* values() const { return values_.data(); }  // on the device
  float* of(Param p) const { return values_.data() + p.offset; }
  // Whether a contribution to p must be added to earlier ones; marks p as written.
  bool accumulate(Param p) {
    const bool before = written_[static_cast<std::size_t>(p.index)];
    written_[static_cast<std::size_t>(p.index)] = 1;
    return before;
  }
  // Starts an update. finish() zeroes parameters without any contribution since.
  void begin() { written_.assign(written_.size(), 0); }
  void finish(const Backend& backend);

 private:
  const Params& params_;
  DeviceArray<float> values_;
  std::vector<char> written_;
};

}  // namespace tt
