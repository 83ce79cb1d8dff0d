// No sequence of so many tokens comes twice in a translation.
#pragma once

#include <algorithm>

#include "decode/constraint.h"

namespace tt {

class NoRepeat : public Constraint {
 public:
  explicit NoRepeat(std::size_t tokens) : length_(tokens) {}  // at least 1

  void demand(Tokens tokens, const Progress*, Demands& demands) const override {
    if (tokens.size() < length_) return;
    const Tokens last = tokens.last(length_ - 1);
    for (std::size_t end = length_ - 1; end < tokens.size(); ++end)
      if (std::ranges::equal(last, tokens.subspan(end - last.size(), last.size())))
        demands.barred.push_back(tokens[end]);
  }

 private:
  std::size_t length_;
};

}  // namespace tt
