// No translation ends before it has so many tokens.
#pragma once

#include "decode/constraint.h"

namespace tt {

class MinimumLength : public Constraint {
 public:
  MinimumLength(std::int64_t tokens, std::int32_t eos) : least_(tokens), eos_(eos) {}

  void demand(Tokens tokens, const Progress*, Demands& demands) const override {
    if (shorter(tokens)) demands.barred.push_back(eos_);
  }
  std::int64_t shortest() const override { return least_; }
  std::optional<Reason> problem(Tokens tokens) const override {
    return shorter(tokens) ? std::optional(Reason::too_short) : std::nullopt;
  }

 private:
  bool shorter(Tokens tokens) const { return static_cast<std::int64_t>(tokens.size()) < least_; }

  std::int64_t least_;
  std::int32_t eos_;
};

}  // namespace tt
