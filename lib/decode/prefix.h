// The tokens that a translation begins with.
#pragma once

#include <utility>

#include "decode/constraint.h"

namespace tt {

class Prefix : public Constraint {
 public:
  explicit Prefix(std::vector<std::int32_t> tokens) : tokens_(std::move(tokens)) {}

  void demand(Tokens tokens, const Progress*, Demands& demands) const override {
    if (tokens.size() < tokens_.size()) demands.forced = tokens_[tokens.size()];
  }
  std::int64_t shortest() const override { return static_cast<std::int64_t>(tokens_.size()); }

 private:
  std::vector<std::int32_t> tokens_;
};

}  // namespace tt
