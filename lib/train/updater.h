// One update: the gradient of its shards, their sum, and Adam's step (section 5.3).
//
// Invariant: the parameters after an update are a function of those before, the batch, the configuration and the update's number. Every
// shard is computed by one thread, gradients are summed in a fixed tree, and every element is updated by one thread, so the number of
// threads changes nothing.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "model/model.h"
#include "tensor/meter.h"

namespace tt {

struct UpdateResult {
  LossSums loss;
  double gradient_norm = 0;  // of the mean gradient per target token, before clipping
  double rate = 0;
};

class Updater {
 public:
  // Keeps references to the model, the backend and the pool. Memory: one gradient per shard and two moments, each as large as the
  // parameters, and per thread the activations of a shard.
  Updater(Model& model, const Backend& backend, ThreadPool& pool);

  // Update number `update`, from 1, on batches given as their shards, batch after batch. Throws Error if the loss is not finite.
  UpdateResult update(std::int64_t update, std::span<const Batch> shards);

  // Adam's moments, [params.size()] each.
  float* mean() const { return mean_.get(); }
  float* square() const { return square_.get(); }

  const Meter& meter() const { return total_; }  // everything so far, all threads
  void reset_meter() { total_ = Meter(nullptr); }
  std::size_t activation_memory() const;  // bytes, all threads

 private:
  Model& model_;
  const Backend& backend_;
  ThreadPool& pool_;
  FloatArray mean_, square_;
  std::vector<Gradients> gradients_;            // one per shard
  std::vector<std::unique_ptr<Arena>> arenas_;  // one per thread
  Meter total_;
};

}  // namespace tt
