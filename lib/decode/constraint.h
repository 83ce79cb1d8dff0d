// A condition on translations, and what it says of the continuations of a hypothesis.
//
// A new constraint is a file that derives from Constraint, and an option that adds it to those of a
// search (SearchOptions::constraints), or of one sentence (SearchRequest::constraints).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "decode/problem.h"

namespace tt {

using Tokens = std::span<const std::int32_t>;

// The demands of constraints on the piece that follows a hypothesis.
struct Demands {
  std::int32_t forced = -1;  // the piece that must come, though it is barred; negative: none
  std::vector<std::int32_t> barred;  // pieces that may not come
  // Pieces that are looked at however unlikely they are, and though they are barred.
  std::vector<std::int32_t> also_scored;
};

// How much of a constraint a hypothesis has.
struct Fulfilment {
  // Hypotheses of one rank compete with each other: those of a higher one are more expensive.
  int rank = 0;
  std::size_t met = 0;  // conditions

  Fulfilment& operator+=(const Fulfilment& other);
};

class Constraint {
 public:
  virtual ~Constraint() = default;

  // How far a hypothesis has come, where its tokens alone do not say so quickly. It does not
  // change: those that live on from a hypothesis share what it has, or have their own.
  struct Progress {
    virtual ~Progress() = default;
  };
  using ProgressPointer = std::shared_ptr<const Progress>;

  // Adds its demands behind `tokens`.
  virtual void demand(Tokens tokens, const Progress* progress, Demands& demands) const = 0;

  // Tokens that a translation has at least.
  virtual std::int64_t shortest() const { return 0; }
  // Why a translation is not as it asks; nothing where it is, and where its fulfilment says so.
  virtual std::optional<Reason> problem(Tokens) const { return std::nullopt; }

  // For conditions that a hypothesis meets by and by: it may not end before it meets those of the
  // goal, whose rank is the most that it can have. Without conditions there is no progress.
  virtual Fulfilment goal() const { return {}; }
  virtual ProgressPointer begin() const { return nullptr; }
  // The progress of `tokens`, where `before` is that of all but the last.
  virtual ProgressPointer advance(const ProgressPointer& before, Tokens) const { return before; }
  virtual Fulfilment fulfilment(const Progress&) const { return {}; }
  // The fulfilment with one more piece: for all that might follow, of which most change nothing.
  virtual Fulfilment fulfilment_with(const ProgressPointer& before, Tokens tokens,
                                     std::int32_t piece) const;
  // The sum of numbers, one for each token, over the tokens from `first` on that meet its
  // conditions.
  virtual double sum(const Progress&, std::span<const float>, std::size_t) const { return 0; }
};

using ConstraintList = std::vector<std::shared_ptr<const Constraint>>;

// The constraints of a sentence as one.
class Constraints {
 public:
  // `history`: tokens that come first, which they do not see. It must outlive this.
  Constraints(const ConstraintList& of_all, const ConstraintList& of_sentence, Tokens history = {});

  // The progress of the constraints with conditions.
  using Progress = std::vector<Constraint::ProgressPointer>;

  const Fulfilment& goal() const { return goal_; }
  bool empty() const { return gradual_.empty(); }  // there are no conditions
  Progress begin() const;
  Progress advance(const Progress& before, Tokens tokens) const;
  // `demands` is cleared first.
  void demand(Tokens tokens, const Progress& progress, Demands& demands) const;
  Fulfilment fulfilment(const Progress& progress) const;
  Fulfilment fulfilment_with(const Progress& before, Tokens tokens, std::int32_t piece) const;
  double sum(const Progress& progress, std::span<const float> numbers, std::size_t first) const;

 private:
  Tokens own(Tokens tokens) const {
    return tokens.subspan(std::min(tokens.size(), history_.size()));
  }

  Tokens history_;
  std::vector<const Constraint*> plain_, gradual_;  // without conditions, and with
  Fulfilment goal_;
};

}  // namespace tt
