// The learning rate (section 5.3), and a step of each optimiser, but for the arrays that it is of,
// as functions of the settings and of the update:
//   adam           Adam with bias correction (Kingma and Ba 2015) and decoupled weight decay, which
//                  makes it AdamW (Loshchilov and Hutter 2019)
//   nadam          the same with Nesterov's momentum, NAdamW, as Choi et al. 2019 have it (table
//                  1), which is simpler than Dozat's (2016)
//   schedule-free  AdamW whose momentum is an average in the place of a schedule (Defazio et al.
//                  2024, "The Road Less Scheduled"): gradients are taken at y, between the trained
//                  point z and the average x of all z, and x is the model. The rate only rises.
// The mathematics of steps stand with the kernels (tensor/backend.h).
#pragma once

#include <cstdint>
#include <string>

#include "model/config.h"
#include "tensor/backend.h"

namespace tt {

// Update `update`, from 1, with this rate, and gradients that must be multiplied by `scale`; z
// enters its average with `weight`.
Adam adam_step(const TrainingSettings& settings, std::int64_t update, double rate, float scale);
ScheduleFree schedule_free_step(const TrainingSettings& settings, std::int64_t update, double rate,
                                float scale, double weight);

// The learning rate of update `update`, counted from 1. With peak = config.rate, or (D warmup)^-0.5
// where that is not given, times rate_scale:
//   paper     peak min(sqrt(warmup / update), update / warmup), which is D^-0.5 min(update^-0.5,
//             update warmup^-1.5)
//   constant  peak
//   linear    down to 0 at max_updates, and so cosine
//   wsd       peak, and over the last updates, the share config.cooldown of max_updates, down to 0
//             as peak (1 - sqrt(share gone)) (warm-up, stable, decay: Haegele et al. 2024)
// each after a linear rise over the warm-up.
double learning_rate(const Config& config, std::int64_t update);

// A note that a limit ("max-epochs") has ended training at `update`, before its schedule did; empty
// where it has no end, or has come to it, or where patience ends one that falls all the time, as it
// is meant to.
std::string unfinished_schedule(const Config& config, std::int64_t update,
                                const std::string& limit);

// The weight c_t = w_t / (w_1 + ... + w_t) with which the point z of update t enters its average
// x += c_t (z - x) in schedule-free training: w_t is t^average_power times the square of the
// update's rate (Defazio et al. 2024, section 4, and r in their program), of which the peak cancels
// out: a rate that is changed in a run weighs as if it had been that from the beginning. A function
// of the settings and the update alone; sums of the updates before are kept.
class AverageWeight {
 public:
  double operator()(const TrainingSettings& settings, std::int64_t update);

 private:
  std::int64_t update_ = 0;
  double sum_ = 0;  // of the weights so far, as parts of the last, which may be beyond a double
};

}  // namespace tt
