// Words that stand several times in a row, as models write them that do not find an end. A
// placeholder is another word each time: another value takes its place.
#pragma once

#include "clean/rule.h"

namespace tt::clean {

class Repetition : public Rule {
 public:
  explicit Repetition(double times) : times_(static_cast<std::size_t>(times)) {}

  bool drops(const Pair& pair) override { return repeats(pair.source) || repeats(pair.target); }
  bool repeats(const Side& side) const;

 private:
  const std::size_t times_;
};

}  // namespace tt::clean
