// One call of a kernel that can be made on any backend with the same arguments, and the comparison of what two backends answer.
//
// The arguments live in a Workspace: filled by their names, so that two workspaces start alike; each between guards, with gaps
// where the row stride exceeds the width. What may not be read is NaN of a bit pattern of its own, and what must be written
// starts as that too.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "tensor/backend.h"

namespace tt {

class Workspace {
 public:
  // An argument that is only read: standard normal numbers times `spread`.
  float* in(const std::string& name, std::int64_t rows, std::int64_t columns, std::int64_t stride = 0, float spread = 1);
  // One that is read and changed.
  float* inout(const std::string& name, std::int64_t rows, std::int64_t columns, std::int64_t stride = 0, float spread = 1);
  // One that must be written, whatever it held.
  float* out(const std::string& name, std::int64_t rows, std::int64_t columns, std::int64_t stride = 0);
  // Added to when `accumulate`, else written.
  float* sum(bool accumulate, const std::string& name, std::int64_t rows, std::int64_t columns, std::int64_t stride = 0) {
    return accumulate ? inout(name, rows, columns, stride) : out(name, rows, columns, stride);
  }
  // One that is read and holds anything afterwards.
  float* spent(const std::string& name, std::int64_t rows, std::int64_t columns, float spread = 1);
  // Numbers in [0, below).
  std::int32_t* indices(const std::string& name, std::int64_t n, std::int32_t below);
  std::int32_t* out_indices(const std::string& name, std::int64_t rows, std::int64_t columns);
  // One row of doubles that is added to.
  double* doubles(const std::string& name, std::int64_t n);
  // A result that was returned.
  void result(const std::string& name, double value);

  // What is wrong after a call: an output not written, a guard, a gap or an input changed. Empty when nothing is.
  std::string damage() const;
  // The first element in which `other` differs from this, the reference, by more than `tolerance` times the largest of the
  // element, the root mean square of its buffer and 0.1; or empty. `worst` becomes at least the largest such ratio.
  std::string difference(const Workspace& other, double tolerance, double& worst) const;
  // The first bit in which `other` differs; or empty.
  std::string bit_difference(const Workspace& other) const;

 private:
  enum class Type { f32, i32, f64 };
  enum class Role { in, inout, out, spent };
  struct Buffer {
    std::string name;
    Type type;
    Role role;
    std::int64_t rows, columns, stride;
    std::vector<std::uint32_t> words, before;

    std::int64_t width() const { return type == Type::f64 ? 2 : 1; }
    std::size_t word(std::int64_t r, std::int64_t c) const;
    double element(std::int64_t r, std::int64_t c) const;
    void* data();
  };

  Buffer& add(const std::string& name, Type type, Role role, std::int64_t rows, std::int64_t columns, std::int64_t stride);
  float* random(const std::string& name, Role role, std::int64_t rows, std::int64_t columns, std::int64_t stride, float spread);

  std::deque<Buffer> buffers_;
};

struct Case {
  std::string kernel, shape;
  std::function<void(const Backend&, Workspace&)> call;
};

// The table of cases (kernels_cases.cc, kernels_attention_cases.cc).
std::vector<Case> kernel_cases();
std::vector<Case> attention_cases();

}  // namespace tt
