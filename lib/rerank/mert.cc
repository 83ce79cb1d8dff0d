#include "rerank/mert.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "base/thread_pool.h"

namespace tt::rerank {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double dot(std::span<const double> a, const double* b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The score of a candidate along a line.
struct Ray {
  double slope, height;  // height + t * slope
  std::size_t candidate;
  double from = -kInfinity;  // where it is the highest
};

// The rays that are highest somewhere, in the order of t. Of equal rays the first counts.
void keep_envelope(std::vector<Ray>& rays) {
  std::ranges::sort(rays, [](const Ray& a, const Ray& b) {
    if (a.slope != b.slope) return a.slope < b.slope;
    if (a.height != b.height) return a.height > b.height;
    return a.candidate < b.candidate;
  });
  std::size_t kept = 0;
  for (Ray ray : rays) {
    if (kept > 0 && rays[kept - 1].slope == ray.slope) continue;  // below, or the same
    while (kept > 0) {
      const Ray& last = rays[kept - 1];
      ray.from = (last.height - ray.height) / (ray.slope - last.slope);
      if (ray.from > last.from) break;
      --kept;
    }
    if (kept == 0) ray.from = -kInfinity;
    rays[kept++] = ray;
  }
  rays.resize(kept);
}

// The point at which the choice of a line changes.
struct Change {
  double t;
  std::size_t from, to;  // candidates
};

// A place inside of an interval between changes.
double inside(double begin, double end) {
  if (begin == -kInfinity && end == kInfinity) return 0;
  if (begin == -kInfinity) return end - 1;
  if (end == kInfinity) return begin + 1;
  return begin + (end - begin) / 2;
}

// How far an interval is from 0.
double distance(double begin, double end) { return begin > 0 ? begin : end < 0 ? -end : 0; }

std::vector<double> moved(std::span<const double> weights, double t,
                          std::span<const double> direction) {
  std::vector<double> result(weights.begin(), weights.end());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] += t * direction[i];
  return result;
}

// Powell's method from one start, along axes of these lengths.
Tuned climb(const TuningSet& set, std::vector<double> weights, std::span<const double> lengths) {
  constexpr int kMostRounds = 100;
  const std::size_t n = set.features();
  std::vector<std::vector<double>> directions;
  for (std::size_t i = 0; i < n; ++i) {
    directions.emplace_back(n, 0);
    directions[i][i] = lengths[i];
  }
  double score = set.score(weights);
  // Moves to the best place on a line, if it is better also when choices are made there, with what
  // rounding does to them. Returns by how much.
  const auto search = [&](std::span<const double> direction) {
    const TuningSet::Optimum optimum = set.search(weights, direction);
    if (!set.better(optimum.score, score)) return 0.0;
    const std::vector<double> there = moved(weights, optimum.t, direction);
    const double found = set.score(there), before = score;
    if (!set.better(found, score)) return 0.0;
    weights = there, score = found;
    return std::abs(found - before);
  };
  for (int round = 0; round < kMostRounds; ++round) {
    const std::vector<double> before = weights;
    const double score_before = score;
    std::size_t largest = 0;
    double gain = 0;
    for (std::size_t i = 0; i < directions.size(); ++i)
      if (const double gained = search(directions[i]); gained > gain) gain = gained, largest = i;
    if (score == score_before) break;
    std::vector<double> way = moved(weights, -1, before);
    search(way);
    directions[largest] = std::move(way);
  }
  return {weights, score};
}

}  // namespace

TuningSet::TuningSet(std::size_t features, std::unique_ptr<metrics::Metric> metric)
    : features_(features), metric_(std::move(metric)) {
  TT_CHECK(features > 0);
}

void TuningSet::add(std::span<const double> features, std::string_view text,
                    std::span<const std::string_view> references) {
  TT_CHECK(features.size() == features_ && !begin_.empty());
  values_.insert(values_.end(), features.begin(), features.end());
  rows_.resize(rows_.size() + metric_->width());
  metric_->segment(text, references, std::span(rows_).last(metric_->width()));
}

double TuningSet::score(std::span<const double> weights) const {
  const std::size_t width = metric_->width();
  metrics::Totals totals(width, 0);
  for (std::size_t line = 0; line < lines(); ++line) {
    std::size_t best = begin_[line];
    double most = -kInfinity;
    for (std::size_t c = begin_[line]; c < end(line); ++c)
      if (const double score = dot(weights, &values_[c * features_]); score > most)
        most = score, best = c;
    for (std::size_t k = 0; k < width; ++k) totals[k] += rows_[best * width + k];
  }
  return metric_->score(totals);
}

double TuningSet::first_score() const { return score(std::vector<double>(features_, 0)); }

std::vector<double> TuningSet::deviations() const {
  std::vector<double> sums(features_, 0), squares(features_, 0), result;
  for (std::size_t c = 0; c < candidates(); ++c)
    for (std::size_t f = 0; f < features_; ++f) sums[f] += values_[c * features_ + f];
  const auto count = static_cast<double>(candidates());
  for (std::size_t c = 0; c < candidates(); ++c)
    for (std::size_t f = 0; f < features_; ++f)
      squares[f] += std::pow(values_[c * features_ + f] - sums[f] / count, 2);
  for (const double sum : squares) result.push_back(std::sqrt(sum / count));
  return result;
}

TuningSet::Optimum TuningSet::search(std::span<const double> weights,
                                     std::span<const double> direction) const {
  const std::size_t width = metric_->width();
  metrics::Totals totals(width, 0);
  std::vector<Change> changes;
  std::vector<Ray> rays;
  for (std::size_t line = 0; line < lines(); ++line) {
    rays.clear();
    for (std::size_t c = begin_[line]; c < end(line); ++c) {
      const double* const values = &values_[c * features_];
      rays.push_back({dot(direction, values), dot(weights, values), c});
    }
    keep_envelope(rays);
    for (std::size_t k = 0; k < width; ++k) totals[k] += rows_[rays[0].candidate * width + k];
    for (std::size_t i = 1; i < rays.size(); ++i)
      changes.push_back({rays[i].from, rays[i - 1].candidate, rays[i].candidate});
  }
  std::ranges::stable_sort(changes, {}, &Change::t);
  Optimum best{0, 0};
  double nearest = kInfinity, begin = -kInfinity;
  bool found = false;
  for (std::size_t i = 0; i <= changes.size();) {
    const double end = i < changes.size() ? changes[i].t : kInfinity;
    const double score = metric_->score(totals);
    if (!found || better(score, best.score) ||
        (score == best.score && distance(begin, end) < nearest)) {
      best = {inside(begin, end), score};
      nearest = distance(begin, end);
      found = true;
    }
    if (i == changes.size()) break;
    for (; i < changes.size() && changes[i].t == end; ++i)
      for (std::size_t k = 0; k < width; ++k)
        totals[k] += rows_[changes[i].to * width + k] - rows_[changes[i].from * width + k];
    begin = end;
  }
  return best;
}

Tuned tune(const TuningSet& set, std::span<const double> initial, int restarts, std::uint64_t seed,
           int threads) {
  TT_CHECK(set.lines() > 0 && initial.size() == set.features());
  std::vector<double> lengths = set.deviations();
  // A feature that does not vary has no effect.
  for (double& length : lengths) length = length > 0 ? 1 / length : 0;
  std::vector<Tuned> results(static_cast<std::size_t>(restarts) + 1);
  ThreadPool(threads).run(results.size(), [&](std::size_t start, int) {
    std::vector<double> weights(initial.begin(), initial.end());
    Random random(seed, start);
    if (start > 0)
      for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = static_cast<double>(random.normal()) * lengths[i];
    results[start] = climb(set, weights, lengths);
  });
  Tuned best = results[0];
  for (const Tuned& result : results)
    if (set.better(result.score, best.score)) best = result;
  double sum = 0;
  for (const double weight : best.weights) sum += std::abs(weight);
  if (sum > 0)
    for (double& weight : best.weights) weight /= sum;
  best.score = set.score(best.weights);
  return best;
}

}  // namespace tt::rerank
