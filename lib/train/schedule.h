// The learning rate as a function of the update (section 5.3).
#pragma once

#include <cstdint>

#include "model/config.h"

namespace tt {

// The learning rate of update `update`, counted from 1. With peak = config.rate, or (D warmup)^-0.5
// if that is 0, times rate_scale:
//   paper     peak min(sqrt(warmup / update), update / warmup), which is D^-0.5 min(update^-0.5,
//             update warmup^-1.5)
//   constant  peak
//   linear    down to 0 at max_updates, and so cosine; each of the three after a linear rise over
//             the warm-up
double learning_rate(const Config& config, std::int64_t update);

}  // namespace tt
