// How log-probabilities of translations of different length are compared: by log P(Y) / lp(Y), |Y|
// the tokens of Y with </s>.
//
//   paper    lp(Y) = ((5 + |Y|) / 6)^alpha (Wu et al. 2016, section 7; "Attention Is All You Need",
//            section 6.1)
//   length   lp(Y) = |Y|^alpha; with alpha 1 the mean log-probability of a token
//   none     lp(Y) = 1
#pragma once

#include <cstdint>

#include "model/config.h"

namespace tt {

struct Penalty {
  LengthPenalty kind = LengthPenalty::paper;
  double alpha = 0.6;  // not negative, so that lp never falls with the length

  double of(std::int64_t length) const;  // Requires length >= 1.
};

}  // namespace tt
