// The tied projection and its label-smoothed cross-entropy, forward and backward at once
// (sections 3.4, 5.4).
//
// Logits [n, V] are never stored in full: a chunk of rows at a time is projected, turned into loss
// and gradient while in the cache, and multiplied into the gradients of the rows and of the
// projection.
#pragma once

#include "nn/output_layer.h"
#include "nn/tape.h"

namespace tt {

// Sums over target tokens, in nats, on the host.
struct LossSums {
  double smoothed = 0;  // the training objective
  double negative_log_likelihood = 0;
  std::int64_t tokens = 0;
  double alignment = 0;     // of guided alignment, over those tokens that have links
  std::int64_t linked = 0;  // so many

  void add(const LossSums& other) {
    smoothed += other.smoothed;
    negative_log_likelihood += other.negative_log_likelihood;
    tokens += other.tokens;
    alignment += other.alignment;
    linked += other.linked;
  }
};

// targets [n] and sums [2] are on the device.
struct LossInputs {
  const std::int32_t* targets = nullptr;
  float smoothing = 0;
  // With agreement > 0 the second half of the rows are other views of the first, and the divergence
  // of the two is part of the loss, with that weight (see CrossEntropy).
  float agreement = 0;
  float scale = 1;  // of the gradient
  double* sums = nullptr;
};
// Adds the smoothed loss of x [n, D] to sums[0] and the negative log-likelihood to sums[1], both
// summed over the rows. When recording, records the gradient of scale * smoothed.
void projected_loss(Tape& tape, Var x, const Projection& to, const LossInputs& inputs);

}  // namespace tt
