#include "metrics/significance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "metrics/pcg64.h"

namespace tt::metrics {

namespace {

// Samples are drawn and summed in blocks of this many, so that the drawn indices of a large corpus
// fit in memory.
constexpr int kBlock = 64;

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

constexpr double kLevel = 0.05;     // of significance
constexpr double kRounding = 1e-9;  // differences of scores that are equal but for rounding

// The fraction of trials beyond `least`, counting the observed one among them, so that it is never
// 0.
double fraction_beyond(const std::vector<double>& statistics, double least) {
  const auto beyond = std::count_if(statistics.begin(), statistics.end(),
                                    [=](double value) { return value > least; });
  return static_cast<double>(beyond + 1) / static_cast<double>(statistics.size() + 1);
}

// The fraction of all exchanges of the rows at `places` between two systems, whose sums are
// `totals`, with a difference of scores of at least `observed`.
double enumerate(const Metric& metric, std::span<const std::int32_t> a,
                 std::span<const std::int32_t> b, const std::vector<std::size_t>& places,
                 const Totals& totals_a, const Totals& totals_b, double observed) {
  const std::size_t width = metric.width(), exchanges = std::size_t{1} << places.size();
  std::size_t reached = 0;
  for (std::size_t exchange = 0; exchange < exchanges; ++exchange) {
    Totals first = totals_a, second = totals_b;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if ((exchange >> i & 1) == 0) continue;
      for (std::size_t k = 0; k < width; ++k) {
        const std::int32_t moved = b[places[i] * width + k] - a[places[i] * width + k];
        first[k] += moved, second[k] -= moved;
      }
    }
    reached += std::abs(metric.score(first) - metric.score(second)) >= observed - kRounding;
  }
  return static_cast<double>(reached) / static_cast<double>(exchanges);
}

// Fills the p-values of `system` from the statistics of the trials.
void set_p_values(Estimate& estimate, const Metric& metric, const SystemRows& rows,
                  std::size_t system, const std::vector<double>& statistics) {
  const std::size_t width = metric.width();
  const Totals ours = sum_rows(rows[system], width), first = sum_rows(rows[0], width);
  const double observed = std::abs(metric.score(first) - metric.score(ours));
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < rows[0].size(); at += width) {
    const auto row = rows[0].begin() + static_cast<std::ptrdiff_t>(at);
    if (!std::equal(row, row + static_cast<std::ptrdiff_t>(width),
                    rows[system].begin() + static_cast<std::ptrdiff_t>(at)))
      places.push_back(at / width);
  }
  estimate.differing = places.size();
  estimate.p_value = fraction_beyond(statistics, observed);
  if (places.size() <= kEnumerated)
    estimate.exact_p_value =
        enumerate(metric, rows[0], rows[system], places, first, ours, observed);
  const double reached = estimate.exact_p_value ? *estimate.exact_p_value
                                                : fraction_beyond(statistics, observed - kRounding);
  estimate.significant = observed > 0 && std::max(*estimate.p_value, reached) < kLevel;
}

std::size_t count_segments(const Metric& metric, const SystemRows& rows) {
  TT_CHECK(!rows.empty() && !rows[0].empty());
  for (const auto& system : rows)
    TT_CHECK(system.size() == rows[0].size() && system.size() % metric.width() == 0);
  return rows[0].size() / metric.width();
}

// Mean and half-width of the central 95 % of `scores`. Requires at least one score.
Estimate estimate_interval(std::vector<double> scores) {
  TT_CHECK(!scores.empty());
  std::sort(scores.begin(), scores.end());
  const std::size_t tail = scores.size() / 40;
  Estimate estimate;
  estimate.mean = mean(scores);
  estimate.interval = 0.5 * (scores[scores.size() - tail - 1] - scores[tail]);
  return estimate;
}

}  // namespace

std::vector<Estimate> bootstrap(const Metric& metric, const SystemRows& rows, bool paired,
                                int samples, std::uint64_t seed, ThreadPool& pool) {
  TT_CHECK(samples > 0);
  const std::size_t segments = count_segments(metric, rows), width = metric.width();
  std::vector<std::vector<double>> scores(rows.size(),
                                          std::vector<double>(static_cast<std::size_t>(samples)));
  Pcg64 random(seed);
  std::vector<std::uint32_t> drawn;
  for (int first = 0; first < samples; first += kBlock) {
    const auto block = static_cast<std::size_t>(std::min(kBlock, samples - first));
    drawn.resize(block * segments);
    for (std::uint32_t& index : drawn) index = random.below(static_cast<std::uint32_t>(segments));
    pool.run(block * rows.size(), [&](std::size_t task, int) {
      const std::size_t sample = task % block, system = task / block;
      Totals totals(width, 0);
      for (std::size_t i = 0; i < segments; ++i) {
        const std::int32_t* row = rows[system].data() + drawn[sample * segments + i] * width;
        for (std::size_t k = 0; k < width; ++k) totals[k] += row[k];
      }
      scores[system][static_cast<std::size_t>(first) + sample] = metric.score(totals);
    });
  }

  std::vector<Estimate> results;
  for (std::size_t system = 0; system < rows.size(); ++system) {
    results.push_back(estimate_interval(scores[system]));
    if (!paired || system == 0) continue;
    std::vector<double> differences(scores[system].size());
    for (std::size_t i = 0; i < differences.size(); ++i)
      differences[i] = std::abs(scores[system][i] - scores[0][i]);
    const double centre = mean(differences);
    for (double& difference : differences) difference -= centre;
    set_p_values(results.back(), metric, rows, system, differences);
  }
  return results;
}

std::vector<Estimate> randomization(const Metric& metric, const SystemRows& rows, int trials,
                                    std::uint64_t seed, ThreadPool& pool) {
  TT_CHECK(trials > 0);
  const std::size_t segments = count_segments(metric, rows), width = metric.width();
  std::vector<Totals> totals;
  for (const auto& system : rows) totals.push_back(sum_rows(system, width));
  std::vector<std::vector<double>> differences(
      rows.size(), std::vector<double>(static_cast<std::size_t>(trials)));
  Pcg64 random(seed);
  std::vector<std::uint8_t> keeps;
  for (int first = 0; first < trials; first += kBlock) {
    const auto block = static_cast<std::size_t>(std::min(kBlock, trials - first));
    keeps.resize(block * segments);
    for (std::uint8_t& keep : keeps) keep = random.coin();
    pool.run(block * (rows.size() - 1), [&](std::size_t task, int) {
      const std::size_t trial = task % block, system = task / block + 1;
      // One pseudo system takes the first system's row where the coin keeps it and the other's
      // elsewhere; its counterpart gets the remaining rows, so its sum is that of both totals minus
      // the first pseudo system's.
      Totals mixed(width, 0), left(width, 0);
      for (std::size_t i = 0; i < segments; ++i) {
        const std::int32_t* row = rows[keeps[trial * segments + i] ? 0 : system].data() + i * width;
        for (std::size_t k = 0; k < width; ++k) mixed[k] += row[k];
      }
      for (std::size_t k = 0; k < width; ++k) left[k] = totals[0][k] + totals[system][k] - mixed[k];
      differences[system][static_cast<std::size_t>(first) + trial] =
          std::abs(metric.score(mixed) - metric.score(left));
    });
  }
  std::vector<Estimate> results(rows.size());
  for (std::size_t system = 1; system < rows.size(); ++system)
    set_p_values(results[system], metric, rows, system, differences[system]);
  return results;
}

}  // namespace tt::metrics
