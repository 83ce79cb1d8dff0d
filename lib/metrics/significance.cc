#include "metrics/significance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "metrics/pcg64.h"

namespace tt::metrics {

namespace {

// Samples are drawn and summed in blocks of this many, so that the drawn indices of a large corpus fit in memory.
constexpr int kBlock = 64;

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The fraction of trials beyond the observed difference, counting the observed one among them, so that it is never 0.
double p_value(const std::vector<double>& statistics, double real_difference) {
  const auto beyond = std::count_if(statistics.begin(), statistics.end(), [=](double value) { return value > real_difference; });
  return static_cast<double>(beyond + 1) / static_cast<double>(statistics.size() + 1);
}

std::size_t count_segments(const Metric& metric, const SystemRows& rows) {
  TT_CHECK(!rows.empty() && !rows[0].empty());
  for (const auto& system : rows) TT_CHECK(system.size() == rows[0].size() && system.size() % metric.width() == 0);
  return rows[0].size() / metric.width();
}

}  // namespace

Estimate estimate_interval(std::vector<double> scores) {
  TT_CHECK(!scores.empty());
  std::sort(scores.begin(), scores.end());
  const std::size_t tail = scores.size() / 40;
  return {mean(scores), 0.5 * (scores[scores.size() - tail - 1] - scores[tail]), {}};
}

std::vector<Estimate> bootstrap(const Metric& metric, const SystemRows& rows, bool paired, int samples, std::uint64_t seed,
                                ThreadPool& pool) {
  TT_CHECK(samples > 0);
  const std::size_t segments = count_segments(metric, rows), width = metric.width();
  std::vector<std::vector<double>> scores(rows.size(), std::vector<double>(static_cast<std::size_t>(samples)));
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
  const double real = metric.score(sum_rows(rows[0], width));
  for (std::size_t system = 0; system < rows.size(); ++system) {
    results.push_back(estimate_interval(scores[system]));
    if (!paired || system == 0) continue;
    std::vector<double> differences(scores[system].size());
    for (std::size_t i = 0; i < differences.size(); ++i) differences[i] = std::abs(scores[system][i] - scores[0][i]);
    const double centre = mean(differences);
    for (double& difference : differences) difference -= centre;
    results.back().p_value = p_value(differences, std::abs(real - metric.score(sum_rows(rows[system], width))));
  }
  return results;
}

std::vector<Estimate> randomization(const Metric& metric, const SystemRows& rows, int trials, std::uint64_t seed,
                                    ThreadPool& pool) {
  TT_CHECK(trials > 0);
  const std::size_t segments = count_segments(metric, rows), width = metric.width();
  std::vector<Totals> totals;
  for (const auto& system : rows) totals.push_back(sum_rows(system, width));
  std::vector<std::vector<double>> differences(rows.size(), std::vector<double>(static_cast<std::size_t>(trials)));
  Pcg64 random(seed);
  std::vector<std::uint8_t> keeps;
  for (int first = 0; first < trials; first += kBlock) {
    const auto block = static_cast<std::size_t>(std::min(kBlock, trials - first));
    keeps.resize(block * segments);
    for (std::uint8_t& keep : keeps) keep = random.coin();
    pool.run(block * (rows.size() - 1), [&](std::size_t task, int) {
      const std::size_t trial = task % block, system = task / block + 1;
      // One pseudo system takes the first system's row where the coin keeps it and the other's elsewhere; its counterpart gets
      // the remaining rows, so its sum is that of both totals minus the first pseudo system's.
      Totals mixed(width, 0), left(width, 0);
      for (std::size_t i = 0; i < segments; ++i) {
        const std::int32_t* row = rows[keeps[trial * segments + i] ? 0 : system].data() + i * width;
        for (std::size_t k = 0; k < width; ++k) mixed[k] += row[k];
      }
      for (std::size_t k = 0; k < width; ++k) left[k] = totals[0][k] + totals[system][k] - mixed[k];
      differences[system][static_cast<std::size_t>(first) + trial] = std::abs(metric.score(mixed) - metric.score(left));
    });
  }
  std::vector<Estimate> results(rows.size());
  for (std::size_t system = 1; system < rows.size(); ++system) {
    results[system].p_value = p_value(differences[system], std::abs(metric.score(totals[0]) - metric.score(totals[system])));
  }
  return results;
}

}  // namespace tt::metrics
