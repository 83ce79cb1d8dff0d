// Beam search over anything that can be stepped and reordered (section 6.1). It does not know what a Transformer is.
//
// Score of a hypothesis Y: log P(Y) / lp(Y), lp(Y) = ((5 + |Y|) / 6)^alpha (Wu et al. 2016, section 7), |Y| its tokens with </s>.
// All sentences of a batch advance together, but what is found for one does not depend on the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "model/model.h"

namespace tt {

struct SearchOptions {
  int beam = 4;
  double alpha = 0.6;
  int extra_length = 50;  // a translation has at most as many tokens as its source, and these
};

// Thrown by a search whose model gives numbers that are not finite.
class NotFinite : public Error {
 public:
  NotFinite() : Error("a probability is not finite; the model is damaged, or its training has diverged") {}
};

struct Hypothesis {
  std::vector<std::int32_t> tokens;  // without <s> and </s>
  double log_probability = 0;
  double score = 0;
};

double length_penalty(std::int64_t length, double alpha);

// Finds translations. `limits`: per sentence the most tokens a translation may have, </s> not counted. Returns for every sentence its
// finished hypotheses, best first: at least one. Throws NotFinite if a probability is not finite.
//
// A step takes the 2 beam best continuations of all hypotheses of a sentence; those that end among the first `beam` are finished,
// and the first `beam` that do not end stay alive. A sentence is done when `beam` hypotheses are finished, when no live one could
// still overtake the best finished one (log-probabilities only fall), or at its limit, where live ones are finished as they are.
// If there is no continuation and nothing has been finished, the best hypothesis is finished as it is.
std::vector<std::vector<Hypothesis>> beam_search(State& state, std::span<const std::int64_t> limits, std::int32_t bos,
                                                 std::int32_t eos, const SearchOptions& options);

}  // namespace tt
