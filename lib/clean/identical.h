// A text that was left untranslated: both sides are the same but for case, punctuation and spaces.
#pragma once

#include <algorithm>

#include "clean/rule.h"

namespace tt::clean {

class Identical : public Rule {
 public:
  // Only sides of at least so many words: short ones may be names, which stay as they are.
  explicit Identical(double words) : words_(static_cast<std::size_t>(words)) {}

  bool drops(const Pair& pair) override {
    return pair.source.key == pair.target.key && pair.source.words.size() >= words_;
  }

 private:
  const std::size_t words_;
};

}  // namespace tt::clean
