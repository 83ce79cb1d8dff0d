// Constraints that look at the tokens of a hypothesis alone, each in some lines.
#pragma once

#include <algorithm>
#include <utility>

#include "decode/constraint.h"

namespace tt {

// The tokens that a translation begins with.
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

// Pieces that no translation has.
class Forbidden : public Constraint {
 public:
  explicit Forbidden(std::vector<std::int32_t> pieces) : pieces_(std::move(pieces)) {}

  void demand(Tokens, const Progress*, Demands& demands) const override {
    demands.barred.insert(demands.barred.end(), pieces_.begin(), pieces_.end());
  }

 private:
  std::vector<std::int32_t> pieces_;
};

// No translation ends before it has so many tokens.
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

// No sequence of so many tokens comes twice in a translation.
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
