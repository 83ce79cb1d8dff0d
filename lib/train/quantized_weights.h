// Quantisation-aware training: the gradient of an update is taken at the weights that a model in
// eight bits has (tensor/int8.h), so that the model learns to do with them. The optimiser steps on
// the weights in float32, since its steps are less than what eight bits can tell apart: rounding
// counts as the identity ("straight-through", Bengio et al. 2013; Jacob et al. 2018). Activations
// are not rounded, as they have a scale of their own in each row and cost little.
#pragma once

#include <cstdint>
#include <vector>

#include "base/thread_pool.h"
#include "nn/params.h"

namespace tt {

class QuantizedWeights {
 public:
  // Keeps references. Memory: as much as the parameters take. Throws Error if a matrix is too large
  // for eight bits.
  QuantizedWeights(Params& params, ThreadPool& pool);

  // The matrices become what a model file in eight bits has of them, and vectors stay; the result
  // does not depend on the number of threads. A device waits for the host, which rounds.
  void apply();
  // The parameters become what they were before apply(), bit for bit.
  void restore() { params_.exchange(others_); }

 private:
  // A vector, or so many columns of a matrix as are rounded together.
  struct Part {
    int index;
    std::int64_t first;
  };
  void round(const Part& part, const float* from, float* to) const;

  Params& params_;
  ThreadPool& pool_;
  DeviceArray<float> others_;  // what the parameters are not, of both
  std::vector<Part> parts_;
};

}  // namespace tt
