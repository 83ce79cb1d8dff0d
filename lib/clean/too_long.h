// A side of more words than one sentence has.
#pragma once

#include <algorithm>

#include "clean/rule.h"

namespace tt::clean {

class TooLong : public Rule {
 public:
  explicit TooLong(double words) : most_(static_cast<std::size_t>(words)) {}

  bool drops(const Pair& pair) override {
    return std::max(pair.source.words.size(), pair.target.words.size()) > most_;
  }

 private:
  const std::size_t most_;
};

}  // namespace tt::clean
