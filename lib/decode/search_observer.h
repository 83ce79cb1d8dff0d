// Who is told what a search does, as it does it.
#pragma once

#include <cstddef>
#include <span>

#include "decode/constraint.h"
#include "decode/selection.h"

namespace tt {

// The fate of a group of hypotheses in a step.
enum class Outcome {
  goes_on,  // some of them live
  done,     // none that lives could still come before those that have ended
  limit,    // those that lived are as long as they may be, and end as they stand
  nothing,  // none lives
};

// One step of a group.
struct SearchStep {
  const SearchedSentence& sentence;
  std::size_t group;
  // The demands on each hypothesis that lived before, and the continuations that were looked at.
  std::span<const Demands> demands;
  std::span<const Continuations> rows;
  std::span<const Extension> chosen;
  std::span<const Hypothesis> ended;  // those with </s> first, in the order of `chosen`
  Outcome outcome;
};

class SearchObserver {
 public:
  virtual ~SearchObserver() = default;
  virtual void step(const SearchStep& step) = 0;
};

}  // namespace tt
