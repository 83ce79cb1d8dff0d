// The tied projection and its label-smoothed cross-entropy, forward and backward at once
// (sections 3.4, 5.4).
//
// Logits [n, V] are never stored in full: a chunk of rows at a time is projected, turned into loss
// and gradient while in the cache, and multiplied into the gradients of the rows and of the
// projection.
#pragma once

#include <span>
#include <vector>

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

// Logits x table^T + bias: table [V, D], optional bias [V].
struct Projection {
  Param table, bias;
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

// A query about the distribution softmax(logits) of each row of x, and its result, on the host.
struct BestQuery {
  int best = 1;  // so many of its largest log-probabilities
  std::span<const std::int32_t>
      barred;  // [rows, ...]: pieces that are not to be among these; negative: none
  std::span<const std::int32_t>
      asked;  // [rows, ...]: pieces whose log-probabilities are wanted whatever they are
};
struct BestScores {
  std::vector<float> values;  // [rows, best], descending; minus infinity where there are fewer
  std::vector<std::int32_t> pieces;  // [rows, best]
  std::vector<float> asked;          // [rows, ...], in the order of the query
};
// Queries the rows of x [n, D]. Barred pieces keep their share of the probability: that of the
// others does not sum to one.
void projected_best(Tape& tape, Var x, const Projection& to, const BestQuery& query,
                    BestScores& scores);

// Sets `all` to log softmax(logits), [n, V], on the host.
void projected_distribution(Tape& tape, Var x, const Projection& to, std::vector<float>& all);

// values[i] = the log-probability of targets[i] in row i of x [n, D]; both [n], on the device.
void projected_scores(Tape& tape, Var x, const Projection& to, const std::int32_t* targets,
                      float* values);

}  // namespace tt
