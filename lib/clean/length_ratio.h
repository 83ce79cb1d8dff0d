// A side that is too long to be the translation of the other.
#pragma once

#include <algorithm>

#include "clean/rule.h"

namespace tt::clean {

class LengthRatio : public Rule {
 public:
  explicit LengthRatio(double ratio) : ratio_(ratio) {}

  bool drops(const Pair& pair) override {
    const auto [less, more] = std::minmax(pair.source.length, pair.target.length);
    return static_cast<double>(more) > ratio_ * static_cast<double>(less) + kFree;
  }

 private:
  static constexpr double kFree = 10;  // characters: "on" is "eingeschaltet"
  const double ratio_;
};

}  // namespace tt::clean
