// Parameters: names and shapes, laid over one flat array of float32 in a backend's memory.
//
// The array is flat so that the optimiser, the reduction over shards and averaging are loops over
// one array. Every parameter starts at a multiple of 16 floats; the gaps are always zero. Gradients
// and moments have the same layout.
//
// Parameters are first declared, which takes no memory. They get values by random initialisation
// (draw) or from a file (place and fill, or borrow).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tensor/device_array.h"
#include "tensor/int8.h"
#include "tensor/tensor.h"

namespace tt {

// The initial values of a parameter.
enum class Init {
  zeros,
  ones,
  forget,  // ones in the second quarter of the columns, else zeros: gates that at first keep the
           // cell (Jozefowicz 2015)
  xavier,  // uniform in +-scale sqrt(6 / (rows + columns)) (Glorot and Bengio 2010)
  normal,  // normal with standard deviation `scale`
};

// The use that inference makes of a parameter.
enum class Use {
  other,    // anything: vectors, positions
  weights,  // y = x W, W [inputs, outputs]
  table,    // rows are looked up, and y = x W^T, W [pieces, D]
};

// How the matrices of a frozen model, which is all but `other`, are kept: as they are, in the order
// of the host's products (tensor/panels.h; tables as x W^T reads them), or in eight bits
// (tensor/int8.h).
enum class WeightForm { float32, packed, int8 };

// A handle: the range of the flat array that is a parameter. A vector has rows = 1.
struct Param {
  int index = -1;
  std::int64_t offset = 0, rows = 0, columns = 0;

  std::int64_t size() const { return rows * columns; }
  explicit operator bool() const { return index >= 0; }
};

class Params {
 public:
  // Declares a parameter. `blocks`: the number of matrices side by side in it, each initialised as
  // if they were equally wide. Requires that there are no values yet.
  Param add(const std::string& name, std::int64_t rows, std::int64_t columns, Init init,
            float scale = 1, int blocks = 1);
  // The gradient of the first `columns` of a vector is always zero.
  void fix(Param p, std::int64_t columns);
  // A matrix of embeddings, or of outputs, drawn as Init::normal.
  Param add_table(const std::string& name, std::int64_t rows, std::int64_t columns,
                  float deviation);

  // Allocates the parameters, all zero, in memory of the backend, which must outlive them. Throws
  // Error if there is not enough.
  void place(const Backend& backend);
  // place(), and initialises every parameter from Random(seed, its number).
  void draw(const Backend& backend, std::uint64_t seed);
  // Sets parameter `index` from host data. Requires place().
  void fill(int index, const float* from);
  // Fills a parameter from panels (tensor/panels.h).
  void fill_packed(int index, const float* panels);
  // Uses parameter `index` in place in host memory, for inference: it must stay there unchanged.
  // Requires backend.is_host(), and that all parameters are borrowed. `forget` is called with its
  // memory when a packed copy has taken its place; it may be read again all the same.
  using Forget = void (*)(const void* from, std::size_t bytes);
  void borrow(const Backend& backend, int index, const float* from, Forget forget = nullptr);
  // Borrows a matrix that is packed. Only weights(), stored(), int8() and view() give it then.
  void borrow_packed(const Backend& backend, int index, const float* panels);
  // Sets a matrix that the host has in eight bits: panels and scales as quantize() writes
  // them. Requires freeze(WeightForm::int8).
  void set_int8(int index, const std::uint8_t* panels, const float* scales);

  // Allows matrices to be packed for products, or quantised, when first used in inference. Their
  // values must not change any more. Throws Error if a matrix is too large for eight bits.
  void freeze(WeightForm form = WeightForm::float32);
  // W = p, or its transpose, as row products read it: if the parameters are frozen, in the type
  // that the backend prefers (Pack in tensor/backend.h), into which it is brought at its first use;
  // if they are not, factor(p). Thread-safe.
  ConstMatrix weights(Param p, bool transposed) const;
  // p in 8 bits, which is then used instead of its values; none if it is not. Thread-safe.
  ConstMatrix int8(Param p) const;
  // p in float32, or in panels where it is borrowed so.
  ConstMatrix stored(Param p) const;

  // Keeps a copy of all values in the type that the backend's products read, unless that is
  // float32. Code that changes values() later must bring the copy up to date, as Adam does, or by
  // refresh_factors(); fill() does not.
  void keep_factors();
  // Does nothing if there is no copy.
  void refresh_factors();
  // p in the type that products read if there is a copy and its rows have no gaps there, else
  // float32.
  ConstMatrix factor(Param p) const;
  // [1, size]: values [offset, offset + size) of the copy; none if there is no copy.
  Matrix factors(std::int64_t offset, std::int64_t size) const;
  // Parameter `index`, for the host; copied to `scratch` if necessary.
  const float* view(int index, std::vector<float>& scratch) const;
  // All of them with the gaps. Requires place().
  const float* view(std::vector<float>& scratch) const { return values_.view(0, size_, scratch); }
  // Swaps the values with others of the same layout on the same backend. Requires place().
  void exchange(DeviceArray<float>& values);

  std::int64_t size() const { return size_; }  // of the flat array, in floats
  std::int64_t count() const;                  // number of parameters, without the gaps
  int number() const { return static_cast<int>(entries_.size()); }
  Param at(int index) const { return entries_[static_cast<std::size_t>(index)].param; }
  Use use(int index) const { return entries_[static_cast<std::size_t>(index)].use; }
  std::int64_t fixed(int index) const { return entries_[static_cast<std::size_t>(index)].fixed; }
  // A matrix as products read it, W [k, n], or where it is a table its transpose.
  struct Product {
    bool transposed;
    std::int64_t n, k;
  };
  Product product_of(int index) const;

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
    Use use;
    std::int64_t fixed = 0;  // columns
  };
  std::vector<Entry> entries_;
  std::int64_t size_ = 0;
  struct Packed {
    std::once_flag once;
    DeviceArray<float> matrix;
  };
  const Backend* backend_ = nullptr;
  DeviceArray<float> values_;
  DeviceArray<float> factors_;             // as factors() gives them; empty if not kept
  std::vector<const float*> at_, panels_;  // of each parameter, or null; panels_ may be empty
  Forget forget_ = nullptr;
  mutable std::unique_ptr<Packed[]> packed_;  // two for each parameter, as it is and transposed
  struct Eight {
    std::once_flag once;
    ConstMatrix matrix;
    DeviceArray<std::uint32_t> panels;  // where they are not the caller's
    DeviceArray<float> scales;
  };
  const float* unpacked(int index, const float* panels, std::vector<float>& scratch) const;
  void upload_int8(int index, const std::uint8_t* panels, const float* scales) const;
  mutable std::unique_ptr<Eight[]> eight_;  // one for each parameter
};

// The gradient of all parameters for one shard. The first contribution to a parameter is written,
// later ones are added, so nothing has to be zeroed.
class Gradients {
 public:
  Gradients(const Params& params, const Backend& backend)
      : params_(params), values_(backend, params.size()),
        written_(static_cast<std::size_t>(params.number())), frozen_(written_) {}

  float* values() const { return values_.data(); }  // on the device
  float* of(Param p) const { return values_.data() + p.offset; }
  Matrix matrix(Param p) const { return float32(of(p), p.rows, p.columns); }
  // Whether a contribution to p must be added to earlier ones; marks p as written.
  bool accumulate(Param p) {
    const bool before = written_[static_cast<std::size_t>(p.index)];
    written_[static_cast<std::size_t>(p.index)] = 1;
    return before;
  }
  // The gradient of this parameter is always zero.
  void freeze(int index) { frozen_[static_cast<std::size_t>(index)] = 1; }

  // Is told, each time further down, from which offset on the values of this update are final, by
  // the thread that computes them and with its backend.
  using Watcher = std::function<void(std::int64_t offset, const Backend& backend)>;
  void watch(Watcher watcher) { watcher_ = std::move(watcher); }

  // Starts an update, and its last backward pass. finish() zeroes parameters without any
  // contribution, and fixed columns.
  void begin();
  void begin_last() { last_ = true; }
  void finish(const Backend& backend) { settle(0, backend); }
  // No contribution to p, or to parameters declared after it, comes in this backward pass any more.
  void passed(Param p, const Backend& backend) {
    if (last_ && watcher_) settle(p.offset, backend);
  }

 private:
  void settle(std::int64_t offset, const Backend& backend);

  const Params& params_;
  DeviceArray<float> values_;
  std::vector<char> written_, frozen_;
  int open_ = 0;  // parameters from the first to this one are not final
  bool last_ = false;
  Watcher watcher_;
};

}  // namespace tt
