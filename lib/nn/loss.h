// The tied projection and its label-smoothed cross-entropy, forward and backward at once (sections 3.4, 5.4).
//
// Logits [n, V] are never stored in full: a chunk of rows at a time is projected, turned into loss and gradient while in the
// cache, and multiplied into the gradients of the rows and of the projection.
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

// x [n, D], table [V, D], optional bias [V], targets [n] on the device. Adds the smoothed loss to sums[0] and the negative
// log-likelihood to sums[1], both summed over the rows; sums is on the device. When recording, records the gradient of scale *
// smoothed. With agreement > 0 the second half of the rows are other views of the first, and the divergence of the two is part of
// the loss, with that weight (see CrossEntropy).
void projected_loss(Tape& tape, Var x, Param table, Param bias, const std::int32_t* targets, float smoothing, float agreement,
                    float scale, double* sums);

// What is asked about the distribution softmax(x table^T + bias) of each row of x, all on the host.
struct Question {
  int best = 1;                          // so many of its largest log-probabilities
  std::span<const std::int32_t> barred;  // [rows, ...]: pieces that are not to be among these; negative: none
  std::span<const std::int32_t> asked;   // [rows, ...]: pieces whose log-probabilities are wanted whatever they are
};
struct Answer {
  std::vector<float> values;         // [rows, best], descending; minus infinity where there are fewer
  std::vector<std::int32_t> pieces;  // [rows, best]
  std::vector<float> asked;          // as asked
};
// Answers for x [n, D], table [V, D] and bias [V] or none. Barred pieces have their probability all the same: what is left does
// not sum to one.
void projected_best(Tape& tape, Var x, Param table, Param bias, const Question& question, Answer& answer);

// Sets `all` to log softmax(x table^T + bias), [n, V], on the host.
void projected_distribution(Tape& tape, Var x, Param table, Param bias, std::vector<float>& all);

// values[i] = the log-probability of targets[i] in row i of x [n, D]; both [n], on the device.
void projected_scores(Tape& tape, Var x, Param table, Param bias, const std::int32_t* targets, float* values);

}  // namespace tt
