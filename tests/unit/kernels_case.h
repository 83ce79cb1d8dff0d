// A kernel call that can be made on any backend with the same arguments, and the comparison of the
// results of two backends.
//
// The arguments are in a Workspace, in the backend's memory: filled by name, so that two workspaces
// start alike; each is surrounded by guards, with gaps if the row stride exceeds the width. Memory
// that must not be read is NaN with a special bit pattern, and outputs start out as that too.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tensor/device_array.h"

namespace tt {

class Workspace {
 public:
  // The backend must outlive the workspace.
  explicit Workspace(const Backend& backend) : backend_(backend) {}

  // Changes each number that an argument is filled with.
  using Change = std::function<float(float)>;

  // An argument that is only read: standard normal numbers times `spread`.
  float* in(const std::string& name, std::int64_t rows, std::int64_t columns,
            std::int64_t stride = 0, float spread = 1);
  // One that is read and changed.
  float* inout(const std::string& name, std::int64_t rows, std::int64_t columns,
               std::int64_t stride = 0, float spread = 1, const Change& change = {});
  // One that must be written, whatever it held.
  float* out(const std::string& name, std::int64_t rows, std::int64_t columns,
             std::int64_t stride = 0);
  // Added to when `accumulate`, else written.
  float* sum(bool accumulate, const std::string& name, std::int64_t rows, std::int64_t columns,
             std::int64_t stride = 0) {
    return accumulate ? inout(name, rows, columns, stride) : out(name, rows, columns, stride);
  }
  // One that is read and holds anything afterwards. The same name gives the same numbers as an
  // argument.
  float* spent(const std::string& name, std::int64_t rows, std::int64_t columns, float spread = 1);
  // Zeros, for what a case needs beside the call that it is about.
  float* zeros(std::int64_t n);
  // Numbers in [0, below).
  std::int32_t* indices(const std::string& name, std::int64_t n, std::int32_t below);
  std::int32_t* out_indices(const std::string& name, std::int64_t rows, std::int64_t columns);
  // One of bfloat16 that must be written, with the zeros behind its rows.
  Matrix out_rounded(const std::string& name, std::int64_t rows, std::int64_t columns);
  // One of float32 with the shape and the stride of a matrix, which is added to or written.
  Matrix like(const ConstMatrix& of, bool accumulate, const std::string& name) {
    return float32(sum(accumulate, name, of.rows, of.columns, of.stride), of.rows, of.columns,
                   of.stride);
  }
  // One row of doubles that is added to, or written.
  double* doubles(const std::string& name, std::int64_t n);
  double* out_doubles(const std::string& name, std::int64_t n);
  // Numbers on the host, only read.
  template <class T>
  const T* copy(const std::vector<T>& from) {
    return static_cast<const T*>(copy(from.data(), from.size() * sizeof(T)));
  }

  // Brings the arguments to the host: what follows speaks of them as they were then.
  void fetch();
  // The damage of a call: an output not written, a guard, a gap or an input changed. Empty
  // when nothing is.
  std::string damage() const;
  // The first element in which `other` differs from this, the reference, by more than `tolerance`
  // times the largest of the element, the root mean square of its buffer and 0.1; or empty. `worst`
  // becomes at least the largest such ratio.
  std::string difference(const Workspace& other, double tolerance, double& worst) const;
  // The first bit in which `other` differs; or empty.
  std::string bit_difference(const Workspace& other) const;

 private:
  enum class Type { f32, i32, f64, bf16 };
  enum class Role { in, inout, out, spent };
  struct Buffer {
    std::string name;
    Type type;
    Role role;
    std::int64_t rows, columns, stride;
    std::vector<std::uint32_t> words, before;
    DeviceArray<std::uint32_t> device;

    std::size_t word(std::int64_t r, std::int64_t c) const;
    double element(std::int64_t r, std::int64_t c) const;
  };

  Buffer& add(const std::string& name, Type type, Role role, std::int64_t rows,
              std::int64_t columns, std::int64_t stride);
  float* random(const std::string& name, Role role, std::int64_t rows, std::int64_t columns,
                std::int64_t stride, float spread, const Change& change);
  void* upload(Buffer& b);
  const void* copy(const void* from, std::size_t bytes);

  const Backend& backend_;
  std::deque<Buffer> buffers_;
};

// A shape of attention, and the inputs of an Attention of that shape.
struct AttentionShape {
  const char* name;
  std::vector<Segment> segments;
  int heads;
  std::int64_t d_k, d_v;

  std::int64_t queries() const;  // rows
  std::int64_t keys() const;
  std::int64_t weights() const;  // elements
};
std::span<const AttentionShape> attention_shapes();
// Queries, keys and values: separate matrices, with or without gaps.
Attention attention_arguments(const AttentionShape& shape, bool causal, bool dropout,
                              std::int64_t gap, std::int64_t window, Workspace& w);

// Segments in the backend's memory, with their description.
Segments describe(std::span<const Segment> segments);

struct Case {
  std::string kernel, shape;
  std::function<void(const Backend&, Workspace&)> call;
};

// The table of cases (kernels_cases.cc, kernels_attention_cases.cc, kernels_recurrent_cases.cc,
// kernels_update_cases.cc, kernels_vocabulary_cases.cc).
std::vector<Case> kernel_cases();
std::vector<Case> attention_cases();
std::vector<Case> rounded_cases();  // of matrices of bfloat16
std::vector<Case> recurrent_cases();
std::vector<Case> update_cases();
std::vector<Case> vocabulary_cases();

}  // namespace tt
