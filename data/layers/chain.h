// A backend that wraps another and finds how long its kernels wait for each other: the sequential
// operations of table 1.
//
// Only the kernels that the forward passes of data/layers call; others end the program.
#pragma once

#include <vector>

#include "tensor/backend.h"

namespace tt::table1 {

class Chain : public Backend {
 public:
  explicit Chain(const Backend& inner) : inner_(inner) {}

  // The longest chain of calls of which each reads what the one before it wrote.
  std::int64_t longest() const { return longest_; }

  void* allocate(std::size_t bytes) const override { return inner_.allocate(bytes); }
  void release(void* memory) const override { inner_.release(memory); }
  Traits traits() const override { return inner_.traits(); }
  void upload(void* to, const void* from, std::size_t bytes) const override {
    inner_.upload(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) const override {
    inner_.download(to, from, bytes);
  }
  void synchronise() const override { inner_.synchronise(); }
  TT_KERNELS(TT_OVERRIDE)

 private:
  struct Written {
    const float *begin, *end;
    std::int64_t position;  // in the longest chain that ends there, from 1
  };

  const Backend& inner_;
  mutable std::vector<Written> written_;
  mutable std::int64_t longest_ = 0;
};

}  // namespace tt::table1
