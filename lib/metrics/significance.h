// How sure a score, or a difference of two, is: bootstrap resampling (Koehn, 2004) and approximate randomisation (Riezler and
// Maxwell, 2005) over rows of statistics; no text is read again.
//
// All systems see the same resamples. Results follow sacreBLEU 2.6.0 to the last digit for the same seed, and are the same for
// any number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "metrics/metric.h"

namespace tt::metrics {

// Rows of one metric for each system: rows[system] has segments x metric.width() numbers.
using SystemRows = std::vector<std::vector<std::int32_t>>;

struct Estimate {
  std::optional<double> mean, interval;  // of the resampled scores: mean, half the width of the interval that holds 95 %
  std::optional<double> p_value;         // of the null hypothesis that this system and the first differ by chance only
};

// Mean and half-width of the central 95 % of `scores`. Requires scores not to be empty.
Estimate estimate_interval(std::vector<double> scores);

// Resamples all segments with replacement, `samples` times. Fills mean and interval for every system, and, if `paired`, the
// p-value for all but the first. Requires samples > 0, and at least one segment, as many for every system.
std::vector<Estimate> bootstrap(const Metric& metric, const SystemRows& rows, bool paired, int samples, std::uint64_t seed,
                                ThreadPool& pool);

// Exchanges the first system's and another's segments at random, `trials` times. Fills the p-value for all but the first.
// Requires as bootstrap().
std::vector<Estimate> randomization(const Metric& metric, const SystemRows& rows, int trials, std::uint64_t seed,
                                    ThreadPool& pool);

}  // namespace tt::metrics
