// Rules by which pairs are dropped.
#pragma once

#include <string>

#include "clean/pair.h"

namespace tt::clean {

class Rule {
 public:
  virtual ~Rule() = default;

  // Whether a pair is to be dropped. A rule that remembers pairs is asked in their order.
  virtual bool drops(const Pair& pair) = 0;
  // A note of pairs that it could not look at any more; empty if it saw all.
  virtual std::string missed() const { return {}; }
};

}  // namespace tt::clean
