// Confidence in scores and in their differences: bootstrap resampling (Koehn, 2004) and approximate
// randomisation (Riezler and Maxwell, 2005) over rows of statistics, without rereading text.
//
// All systems see the same resamples. For the same seed, p-values agree with sacreBLEU 2.6.0, and
// means and intervals do up to its rounding to single precision (0.00001), with any number of
// threads.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/thread_pool.h"
#include "metrics/metric.h"

namespace tt::metrics {

// Rows of one metric for each system: rows[system] has segments x metric.width() numbers.
using SystemRows = std::vector<std::vector<std::int32_t>>;

struct Estimate {
  std::optional<double> mean,
      interval;  // of the resampled scores: mean, and half-width of the central 95 %
  // Under the null hypothesis that this system and the first differ only by chance: the probability
  // of a difference larger than theirs, as sacreBLEU counts it.
  std::optional<double> p_value;
  // With a p-value: the segments whose rows differ; if these are few (kEnumerated), the probability
  // of a difference at least as large as theirs over all exchanges of those segments; and whether
  // both it and the p-value are below 0.05, equal differences counted.
  std::size_t differing = 0;
  std::optional<double> exact_p_value;
  bool significant = false;
};

// Segments that differ, up to which all 2^n exchanges are tried. Trials with fewer segments repeat
// exchanges, and most of them give a difference equal to the observed one, which sacreBLEU does not
// count: its p-value of two equal systems is the least.
inline constexpr std::size_t kEnumerated = 12;

// Resamples all segments with replacement, `samples` times. Fills mean and interval for every
// system, and, if `paired`, the p-value for all but the first. Requires samples > 0, at least one
// segment, and the same number of segments for every system.
std::vector<Estimate> bootstrap(const Metric& metric, const SystemRows& rows, bool paired,
                                int samples, std::uint64_t seed, ThreadPool& pool);

// Exchanges segments of the first and another system at random, `trials` times. Fills the p-value
// for all but the first. Same requirements as bootstrap().
std::vector<Estimate> randomization(const Metric& metric, const SystemRows& rows, int trials,
                                    std::uint64_t seed, ThreadPool& pool);

}  // namespace tt::metrics
