// The learning rate as a function of the update (section 5.3).
#pragma once

#include <cstdint>
#include <string>

#include "model/config.h"

namespace tt {

// The learning rate of update `update`, counted from 1. With peak = config.rate, or (D warmup)^-0.5
// if that is 0, times rate_scale:
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
  double operator()(const Config& config, std::int64_t update);

 private:
  std::int64_t update_ = 0;
  double sum_ = 0;  // of the weights so far, as parts of the last, which may be beyond a double
};

}  // namespace tt
