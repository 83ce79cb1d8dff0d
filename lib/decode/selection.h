// How search goes on from one step to the next: which continuations of the hypotheses of a sentence
// live on, or end. Each way is a file: best.h, diverse.h, sampled.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "decode/constraint.h"
#include "decode/hypothesis.h"
#include "decode/search.h"

namespace tt {

struct Continuation {
  std::int32_t piece;
  float log_probability;  // finite
};

// Continuations that a hypothesis may have.
struct Continuations {
  std::vector<Continuation>
      pieces;         // likeliest first, where not all are wanted; then what constraints ask for
  bool ends = false;  // </s> would be the likeliest, but its constraints are not met
  std::size_t asked = 0;  // where all are wanted: how many of the last are what they ask for
};

// A hypothesis that may go on.
struct LiveHypothesis {
  static constexpr int kNever = std::numeric_limits<int>::max();

  Hypothesis hypothesis;
  Constraints::Progress progress;
  Fulfilment fulfilment;
  std::size_t forced = 0;  // tokens that it begins with, among which search had no extension
  int over_from = kNever;  // its lowest rank since it would have ended, were its constraints met

  // The over_from of hypotheses that go on from it.
  int over_from_now(bool ends) const {
    return ends || over_from != kNever ? std::min(over_from, fulfilment.rank) : over_from;
  }
};

// Hypotheses that compete with each other.
struct HypothesisGroup {
  std::vector<LiveHypothesis> live;
  std::vector<Hypothesis> finished;
};

struct SearchedSentence {
  const SearchRequest* request;
  std::size_t index;  // of the sentence, among those that are searched together
  Constraints constraints;
  std::vector<HypothesisGroup> groups;
};

// A continuation that was chosen. With the piece </s> a hypothesis ends.
struct Extension {
  std::size_t row;  // of the hypothesis in its group
  std::int32_t piece;
  float log_probability;
  bool late = false;           // it meets conditions where the hypothesis would have ended without
  Fulfilment fulfilment = {};  // of what it makes
};

class Selection {
 public:
  virtual ~Selection() = default;

  // Groups of a sentence, which choose one after the other. Each begins with an empty hypothesis.
  virtual std::size_t groups() const { return 1; }
  // How many of the likeliest continuations of a hypothesis it looks at; 0: at all.
  virtual int breadth(const SearchedSentence& sentence) const = 0;
  // Appends what is chosen of the continuations, one row for each that lives in the group.
  virtual void choose(const SearchedSentence& sentence, std::size_t group,
                      std::span<const Continuations> rows, std::vector<Extension>& extensions) = 0;
  // Whether a group needs to go no further.
  virtual bool done(const SearchedSentence&, const HypothesisGroup&) { return false; }
  // Puts what the groups of a sentence have found into the order in which it is returned.
  virtual void rank(std::vector<Hypothesis>&) const {}
};

}  // namespace tt
