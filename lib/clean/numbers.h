// Numbers that differ. A number is digits of any script, with . , ' or a space before groups of
// three or without; 2,500.75 and 2.500,75 have the same ones. Up to twelve, one that stands on one
// side alone is forgiven, since it may be written as a word. Digits of placeholders are none.
#pragma once

#include "clean/rule.h"

namespace tt::clean {

class Numbers : public Rule {
 public:
  // The share of the numbers that must be on both sides.
  explicit Numbers(double share) : share_(share) {}

  bool drops(const Pair& pair) override;

 private:
  const double share_;
  std::vector<std::uint64_t> source_, target_;
};

}  // namespace tt::clean
