// Minimum error rate training (Och 2003): weights of features by which the best candidates of a
// text have the best score of a metric.
//
// Along a line, weights + t * direction, the score of each candidate is a linear function of t, and
// the best candidate of a line of input changes only where two of these cross on their upper
// envelope. So all choices that any t can make, and their metric, are known exactly.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "metrics/metric.h"

namespace tt::rerank {

// The candidates of a text, of which every line has at least one.
class TuningSet {
 public:
  // Candidates have `features` numbers; their metric is scored against references.
  TuningSet(std::size_t features, std::unique_ptr<metrics::Metric> metric);

  // Appends a line, whose candidates follow.
  void add_line() { begin_.push_back(candidates()); }
  // Appends a candidate to the last line: its features, and the metric's row for its text.
  void add(std::span<const double> features, std::string_view text,
           std::span<const std::string_view> references);

  std::size_t lines() const { return begin_.size(); }
  std::size_t features() const { return features_; }
  const metrics::Metric& metric() const { return *metric_; }
  // The metric of the candidates with the greatest dot products, of equals the first of the line.
  double score(std::span<const double> weights) const;
  // The metric of the first candidate of each line.
  double first_score() const;
  // The standard deviation of each feature over all candidates.
  std::vector<double> deviations() const;
  // Whether a score of the metric is better than another.
  bool better(double score, double other) const {
    return metric_->lower_is_better() ? score < other : score > other;
  }

  // The best place on a line: t, and the score there. Of equally good ones that which is nearest to
  // 0, and in the middle between the places where choices change, or 1 beside the last of them.
  struct Optimum {
    double t, score;
  };
  Optimum search(std::span<const double> weights, std::span<const double> direction) const;

 private:
  std::size_t candidates() const { return values_.size() / features_; }
  std::size_t end(std::size_t line) const {
    return line + 1 < begin_.size() ? begin_[line + 1] : candidates();
  }

  std::size_t features_;
  std::unique_ptr<metrics::Metric> metric_;
  std::vector<std::size_t> begin_;  // the first candidate of each line
  std::vector<double> values_;      // [candidates, features]
  std::vector<std::int32_t> rows_;  // [candidates, the metric's width]
};

struct Tuned {
  std::vector<double> weights;  // the sum of their magnitudes is 1
  double score;
};

// Searches along the axes, and along what each round of these has moved (Powell 1964), as long as
// the score gets better; from `initial`, and from `restarts` random weights. The best score counts,
// of equals that of the earlier start. The result depends on the seed, and on no number of threads.
// Requires a line, and as many initial weights as features, of which one is not 0.
Tuned tune(const TuningSet& set, std::span<const double> initial, int restarts, std::uint64_t seed,
           int threads);

}  // namespace tt::rerank
