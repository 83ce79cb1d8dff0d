// The tied projection and its label-smoothed cross-entropy, forward and backward at once (sections 3.4, 5.4).
//
// Logits [n, V] are never stored: a chunk of rows at a time is projected, turned into loss and gradient while it is in the cache, and
// multiplied into the gradients of the rows and of the projection.
#pragma once

#include <span>

#include "nn/tape.h"

namespace tt {

// Sums over target tokens, in nats.
struct LossSums {
  double smoothed = 0;  // what training minimises
  double negative_log_likelihood = 0;
  std::int64_t tokens = 0;

  void add(const LossSums& other) {
    smoothed += other.smoothed;
    negative_log_likelihood += other.negative_log_likelihood;
    tokens += other.tokens;
  }
};

// x [n, D], table [V, D], targets [n]. When recording, records the gradient of scale * smoothed.
LossSums projected_loss(Tape& tape, Var x, Param table, std::span<const std::int32_t> targets, float smoothing, float scale);

// The rows' best continuations: for every row of x [n, D] the `best` largest log-probabilities of softmax(x table^T) and their pieces,
// [n, best] each, descending.
void projected_best(Tape& tape, Var x, Param table, int best, float* values, std::int32_t* pieces);

}  // namespace tt
