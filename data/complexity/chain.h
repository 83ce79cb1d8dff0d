// A backend that wraps another and finds how long its kernels wait for each other: the sequential
// operations of table 1.
//
// Only the kernels that the forward passes of data/complexity call; others end the program.
#pragma once

#include <vector>

#include "tensor/wrapper.h"

namespace tt::table1 {

class Chain : public BackendWrapper {
 public:
  explicit Chain(const Backend& inner) : BackendWrapper(inner) {}

  // The longest chain of calls of which each reads what the one before it wrote.
  std::int64_t longest() const { return longest_; }

  TT_KERNELS(TT_OVERRIDE)

 private:
  struct Written {
    const float *begin, *end;
    std::int64_t position;  // in the longest chain that ends there, from 1
  };

  mutable std::vector<Written> written_;
  mutable std::int64_t longest_ = 0;
};

}  // namespace tt::table1
