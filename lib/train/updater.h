// One update: the gradient of its shards, their sum, and the optimiser's step (section 5.3).
//
// Invariant: the parameters after an update are a function of those before, the batch, the
// configuration and the update number. Every shard is computed by one thread, gradients are summed
// in a fixed tree, and every element is updated by one thread, so the number of threads does not
// affect the result. Neither does that of ranks: each computes its shards, and then the same
// update.
//
// An update needs a single download to the host: the losses, and the squares of the gradient.
#pragma once

#include <exception>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/ranks.h"
#include "base/setting.h"
#include "base/thread_pool.h"
#include "model/model.h"
#include "nn/worker.h"
#include "train/gradient_sum.h"
#include "train/optimizer.h"
#include "train/quantized_weights.h"

namespace tt {

struct UpdateResult {
  LossSums loss;
  double gradient_norm = 0;  // of the mean gradient per target token, before clipping
  double rate = 0;
  double flops = 0;  // of all updates so far, on all ranks
};

// Limits of an update beyond the configuration, by what the run has seen.
struct UpdateLimits {
  double rate_factor = 1;  // of the learning rate
  double gradient_norm =
      std::numeric_limits<double>::infinity();  // a longer gradient is divergence
};

// Thrown if training has diverged: the loss or the gradient is not finite, or the gradient is too
// long.
class Diverged : public SettingError {
 public:
  using SettingError::SettingError;
};

class Updater {
 public:
  // Keeps references to the model, whose parameters must have values, the backend, the pool and the
  // ranks. From here on products read the parameters in the type of the backend's factors, before
  // the first update too: a run that goes on is validated as one that never stopped. Memory: one
  // gradient per shard and two arrays of the optimiser, each as large as the parameters, as the
  // average is, if there is one, and the weights in eight bits, if any are to be trained; and the
  // activations of one shard per thread, or, on a device, of one. Parameters of the numbers
  // `frozen` stay as they are.
  Updater(Model& model, const Backend& backend, ThreadPool& pool, std::span<const int> frozen = {},
          const Ranks& ranks = Ranks::alone());

  // Update number `update`, from 1, on batches given as their shards, batch after batch. start()
  // requests the gradient, and on a device returns before it is computed; finish() waits for it and
  // applies it. The batches must stay alive until then. finish() throws Diverged; the parameters
  // are then unchanged.
  void start(std::int64_t update, std::span<const Batch> shards);
  UpdateResult finish(const UpdateLimits& limits = {});
  UpdateResult update(std::int64_t update, std::span<const Batch> shards) {
    start(update, shards);
    return finish();
  }
  // Calls f in a thread after each batch of an update that a CPU has computed.
  void after_batch(std::function<void()> f) { after_batch_ = std::move(f); }
  // Makes the meters measure the time of each kernel on a device too, by waiting for it.
  void time_kernels();

  // Forgets all earlier updates.
  void reset();
  // Must be called when the parameters were set from outside: their average becomes equal to them,
  // and so does the point z of schedule-free training.
  void parameters_changed();
  // Must be called when first() and square() were set from outside, after parameters_changed(): of
  // schedule-free training, whose average the parameters then are, they become y. Those that are
  // frozen stay as they are in the average, if there is one.
  void state_changed();

  // Whether this update takes its gradient at weights in eight bits.
  bool quantizes(std::int64_t update) const {
    return quantized_ && update >= model_.config().quantize_from;
  }

  // If weights are averaged (TrainingSettings::averages()), exchanges the model's parameters and
  // their average, and back at the end of its life: the average is the model that is validated and
  // saved. `quantized`: meanwhile its matrices are in eight bits; requires that updates may have
  // them.
  class Averaged {
   public:
    explicit Averaged(const Updater& updater, bool quantized = false)
        : updater_(updater), quantized_(quantized) {
      updater_.exchange();
      if (quantized_) updater_.quantized_->apply();
    }
    // Throws DeviceError if the parameters cannot come back: at once, or, if another error is on
    // its way, at their next use.
    ~Averaged() noexcept(false);
    Averaged(const Averaged&) = delete;
    Averaged& operator=(const Averaged&) = delete;

   private:
    const Updater& updater_;
    const bool quantized_;
    const int errors_ = std::uncaught_exceptions();  // that were on their way before
  };
  // [params.size()]; empty if weights are not averaged.
  const DeviceArray<float>& average() const { return average_; }

  // Adam's moments, [params.size()] each; in schedule-free training the first is the point z.
  const DeviceArray<float>& first() const { return first_; }
  const DeviceArray<float>& square() const { return square_; }

  // [params.size()], of the last update: the mean over its target tokens.
  const float* gradient() const { return gradients_.total(); }

  Meter meter() const;  // everything so far, all threads
  void reset_meter();

 private:
  void compute_shard(int s, float scale, Worker& worker);
  void compute_gradients(std::int64_t tokens);
  void apply(const UpdateResult& result);
  void exchange() const;
  bool schedule_free() const { return model_.config().optimizer == Optimizer::schedule_free; }
  void check_parameters() const;  // that they are not their average
  // The step on the parameters [begin, end).
  void step(const UpdateResult& result, std::int64_t begin, std::int64_t end, const Meter& meter);
  // Calls f(begin, end, meter) for stretches of whole chunks that cover some of the parameters:
  // many where threads share the work, one where a call has a whole device to itself.
  void over(std::int64_t begin, std::int64_t end, const GradientSum::Work& f);

  struct Stretch {
    std::int64_t begin, end;
  };

  Model& model_;
  const Backend& backend_;
  ThreadPool& pool_;
  mutable Workers workers_;
  DeviceArray<float> first_, square_;
  mutable DeviceArray<float> average_;
  mutable std::optional<QuantizedWeights> quantized_;  // if any update has them
  const Ranks& ranks_;
  std::function<void()> after_batch_;
  // Results for the host: three sums per batch, then the squares of each chunk of the gradient,
  // which its exchange writes.
  DeviceArray<double> results_;
  GradientSum gradients_;
  std::int64_t counted_ = 0, chunks_ = 0;  // batches and chunks that these are of
  std::int64_t update_ = 0;                // the one that was started, and its batches
  AverageWeight average_weight_;
  double point_weight_ = 0;  // of that update's point in the average of schedule-free training
  std::span<const Batch> batches_;
  mutable std::string
      lost_;  // why the parameters did not come back from their average; empty if they did
  std::vector<Stretch> frozen_;  // of the parameters, in order
};

}  // namespace tt
