// A step of each optimiser, but for the arrays that it is of, as a function of the settings and of
// the update:
//   adam           Adam with bias correction (Kingma and Ba 2015) and decoupled weight decay, which
//                  makes it AdamW (Loshchilov and Hutter 2019)
//   nadam          the same with Nesterov's momentum, NAdamW, as Choi et al. 2019 have it (table
//                  1), which is simpler than Dozat's (2016)
//   schedule-free  AdamW whose momentum is an average in the place of a schedule (Defazio et al.
//                  2024, "The Road Less Scheduled"): gradients are taken at y, between the trained
//                  point z and the average x of all z, and x is the model. The rate only rises.
// The mathematics stand with the kernels (tensor/backend.h), rates and weights of the average in
// train/schedule.h.
#pragma once

#include <cstdint>

#include "model/config.h"
#include "tensor/backend.h"

namespace tt {

// Update `update`, from 1, with this rate, and gradients that must be multiplied by `scale`; z
// enters its average with `weight`.
Adam adam_step(const Config& config, std::int64_t update, double rate, float scale);
ScheduleFree schedule_free_step(const Config& config, std::int64_t update, double rate, float scale,
                                double weight);

}  // namespace tt
