// The tied projection and its label-smoothed cross-entropy, forward and backward at once (sections 3.4, 5.4).
//
// Logits [n, V] are never stored in full: a chunk of rows at a time is projected, turned into loss and gradient while in the
// cache, and multiplied into the gradients of the rows and of the projection.
#pragma once

#include "nn/tape.h"

namespace tt {

// Sums over target tokens, in nats, on the host.
struct LossSums {
  double smoothed = 0;  // the training objective
  double negative_log_likelihood = 0;
  std::int64_t tokens = 0;

  void add(const LossSums& other) {
    smoothed += other.smoothed;
    negative_log_likelihood += other.negative_log_likelihood;
    tokens += other.tokens;
  }
};

// x [n, D], table [V, D], optional bias [V], targets [n] on the device. Adds the smoothed loss to sums[0] and the negative log-likelihood to sums[1],
// both summed over the rows; sums is on the device. When recording, records the gradient of scale * smoothed.
void projected_loss(Tape& tape, Var x, Param table, Param bias, const std::int32_t* targets, float smoothing, float scale,
                    double* sums);

// The best continuations of each row, on the device: for every row of x [n, D] the `best` largest log-probabilities of
// softmax(x table^T + bias) and their pieces, [n, best] each, in descending
// order. Both are in one block, so that one copy brings them to the host.
struct Continuations {
  std::int64_t size;  // n best
  float* values;
  std::int32_t* pieces;
};
Continuations projected_best(Tape& tape, Var x, Param table, Param bias, int best);

// Copies both to the host.
void download(Tape& tape, const Continuations& found, float* values, std::int32_t* pieces);

}  // namespace tt
