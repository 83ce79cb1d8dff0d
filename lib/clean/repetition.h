// Words that stand several times in a row, as models write them that do not find an end.
#pragma once

#include "clean/rule.h"

namespace tt::clean {

class Repetition : public Rule {
 public:
  explicit Repetition(double times) : times_(static_cast<std::size_t>(times)) {}

  bool drops(const Pair& pair) override { return repeats(pair.source) || repeats(pair.target); }

 private:
  static constexpr std::size_t kLongest = 8;  // words

  bool repeats(const Side& side) const {
    const auto& words = side.words;
    for (std::size_t period = 1; period <= kLongest && period * times_ <= words.size(); ++period) {
      std::size_t same = 0;  // words that are those a period before
      for (std::size_t i = period; i < words.size(); ++i) {
        same = words[i] == words[i - period] ? same + 1 : 0;
        if (same == period * (times_ - 1)) return true;
      }
    }
    return false;
  }

  const std::size_t times_;
};

}  // namespace tt::clean
