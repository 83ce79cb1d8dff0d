// A side of more words than one sentence has, or of so many characters that it can be no text of
// these words, as what programs encode in letters.
#pragma once

#include <algorithm>

#include "clean/rule.h"

namespace tt::clean {

class TooLong : public Rule {
 public:
  explicit TooLong(double words) : most_(static_cast<std::size_t>(words)) {}

  bool drops(const Pair& pair) override {
    return std::max(pair.source.words.size(), pair.target.words.size()) > most_ ||
           std::max(pair.source.length, pair.target.length) > kCharacters * most_;
  }

 private:
  static constexpr std::size_t kCharacters = 20;  // of a word; four times what English has
  const std::size_t most_;
};

}  // namespace tt::clean
