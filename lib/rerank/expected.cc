#include "rerank/expected.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/report.h"

namespace tt::rerank {
namespace {

constexpr const char* kModel = "model";
constexpr std::size_t kParts = 10;
constexpr std::size_t kLeast = 50, kEach = 10;  // lines, and lines for each feature
constexpr double kChance = 2;                   // deviations of a correlation that there is none of
constexpr double kLambdas[] = {0.0001, 0.001, 0.01, 0.1, 1};

double mean(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double correlation(const std::vector<double>& one, const std::vector<double>& other) {
  const double a = mean(one), b = mean(other);
  double both = 0, first = 0, second = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    both += (one[i] - a) * (other[i] - b);
    first += (one[i] - a) * (one[i] - a), second += (other[i] - b) * (other[i] - b);
  }
  return first > 0 && second > 0 ? both / std::sqrt(first * second) : 0;
}

std::vector<double> ranks(const std::vector<double>& x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return x[i]; });
  std::vector<double> ranks(x.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && x[order[end]] == x[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i)
      ranks[order[i]] = static_cast<double>(begin + end - 1) / 2;
  }
  return ranks;
}

// Lines with standardised features: of mean 0 and deviation 1 over all of them.
struct Standardised {
  std::size_t width = 0;
  std::vector<std::vector<double>> features;
  std::vector<double> scores, signs;  // of each feature's own effect; 0: it may be chance
  std::vector<double> means, deviations;

  Standardised(const std::vector<Example>& examples, std::size_t count) : width(count) {
    for (const Example& e : examples) scores.push_back(e.score);
    features.resize(examples.size());
    for (std::size_t f = 0; f < width; ++f) {
      std::vector<double> column;
      for (const Example& e : examples) column.push_back(e.features[f]);
      means.push_back(mean(column));
      double squares = 0;
      for (const double x : column) squares += (x - means[f]) * (x - means[f]);
      deviations.push_back(std::sqrt(squares / static_cast<double>(column.size())));
      for (std::size_t i = 0; i < column.size(); ++i)
        features[i].push_back((column[i] - means[f]) / deviations[f]);
      const double alone = correlation(column, scores);
      const bool chance = std::abs(alone) * std::sqrt(static_cast<double>(scores.size())) < kChance;
      signs.push_back(chance ? 0 : alone < 0 ? -1 : 1);
    }
  }

  struct Line {
    double constant;
    std::vector<double> weights;
    double of(const std::vector<double>& f) const {
      return std::inner_product(f.begin(), f.end(), weights.begin(), constant);
    }
  };

  // The weights of the features that are `used`, by the lines that are not of one part: by
  // coordinate descent, which ends at 0 where a weight would have another sign.
  Line fit(double lambda, std::span<const std::size_t> used, std::size_t without) const {
    std::vector<double> products(width * width), with_score(width), sums(width);
    double count = 0, sum = 0;
    for (std::size_t i = 0; i < features.size(); ++i) {
      if (i % kParts == without) continue;
      ++count, sum += scores[i];
      for (const std::size_t f : used) {
        sums[f] += features[i][f], with_score[f] += features[i][f] * scores[i];
        for (const std::size_t g : used) products[f * width + g] += features[i][f] * features[i][g];
      }
    }
    const auto covariance = [&](std::size_t f, std::size_t g) {
      return products[f * width + g] - sums[f] * sums[g] / count;
    };
    std::vector<double> weights(width);
    for (double moved = 1, rounds = 0; moved > 1e-9 && rounds < 10000; ++rounds) {
      moved = 0;
      for (const std::size_t f : used) {
        double rest = with_score[f] - sums[f] * sum / count;
        for (const std::size_t g : used) rest -= g == f ? 0 : covariance(f, g) * weights[g];
        // It may be the same in all of these lines.
        const double square = std::max(0.0, covariance(f, f));
        double next = square < 1e-9 ? 0 : rest / (square + lambda * count);
        if (next * signs[f] <= 0) next = 0;
        moved = std::max(moved, std::abs(next - std::exchange(weights[f], next)));
      }
    }
    double constant = sum;
    for (const std::size_t f : used) constant -= weights[f] * sums[f];
    return {constant / count, weights};
  }

  // The expected score of each line, by the others.
  std::vector<double> expected(double lambda, std::span<const std::size_t> used) const {
    std::vector<double> all(features.size());
    for (std::size_t part = 0; part < kParts; ++part) {
      const Line line = fit(lambda, used, part);
      for (std::size_t i = part; i < all.size(); i += kParts) all[i] = line.of(features[i]);
    }
    return all;
  }

  double error(const std::vector<double>& expected) const {
    double squares = 0;
    for (std::size_t i = 0; i < scores.size(); ++i)
      squares += (scores[i] - expected[i]) * (scores[i] - expected[i]);
    return std::sqrt(squares / static_cast<double>(scores.size()));
  }
};

// Takes features out that are the same in all lines, and "model".
std::vector<std::string> take_constant(std::vector<std::string>& names,
                                       std::vector<Example>& examples, double& model) {
  std::vector<std::string> constant;
  for (std::size_t f = names.size(); f-- > 0;) {
    const bool differs = std::ranges::any_of(
        examples, [&](const Example& e) { return e.features[f] != examples[0].features[f]; });
    if (names[f] == kModel && differs)
      throw Error("the lines are of several models; fit the translations of each by themselves");
    if (differs) continue;
    if (names[f] == kModel) model = examples[0].features[f];
    else constant.push_back(names[f]);
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(f));
    for (Example& e : examples)
      e.features.erase(e.features.begin() + static_cast<std::ptrdiff_t>(f));
  }
  return constant;
}

}  // namespace

double rank_correlation(const std::vector<double>& one, const std::vector<double>& other) {
  return correlation(ranks(one), ranks(other));
}

Doubt best_doubt(const std::vector<double>& expected, const std::vector<double>& scores) {
  std::vector<std::size_t> order(expected.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return expected[i]; });
  const auto all = static_cast<double>(scores.size());
  const auto good =
      static_cast<double>(std::ranges::count_if(scores, [](double score) { return score > 0; }));
  Doubt best;
  double hits = 0, misses = 0;  // of those that are doubtful, others and kept ones
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    ++(scores[order[i]] > 0 ? misses : hits);
    const double here = expected[order[i]], next = expected[order[i + 1]];
    if (here == next) continue;
    const double right = good - misses, wrong = all - good - hits;  // of the others
    const double squares = (hits + misses) * (right + wrong) * good * (all - good);
    const double correlation =
        squares > 0 ? (hits * right - misses * wrong) / std::sqrt(squares) : 0;
    if (correlation > best.correlation)
      best = {(here + next) / 2, correlation, 2 * right / (2 * right + wrong + misses),
              2 * hits / (2 * hits + wrong + misses)};
  }
  return best;
}

double ExpectedScore::of(const std::vector<double>& features) const {
  const double score =
      std::inner_product(features.begin(), features.end(), weights.values.begin(), constant);
  return std::isnan(score) ? score : std::clamp(score, least, most);
}

double ExpectedScore::error_of_mean(std::size_t count) const {
  return error * std::sqrt(1 / static_cast<double>(count) + 1 / lines);
}

FittedScore fit_expected_score(const std::vector<std::string>& all_names,
                               const std::vector<Example>& all) {
  std::vector<std::string> names = all_names;
  std::vector<Example> examples = all;
  for (auto name = names.begin(); name != names.end(); ++name)
    if (std::find(names.begin(), name, *name) != name)
      throw Error("the feature ", in_quotes(*name), " is named twice");
  const std::size_t needed = std::max(kLeast, kEach * names.size());
  if (examples.size() < needed)
    throw Error(
        "a fit of ", names.size(), " features needs ", needed,
        " lines: ten for each, and fifty, or it would learn these lines by heart; there are ",
        examples.size());
  FittedScore fitted;
  ExpectedScore& found = fitted.expectation;
  fitted.constant = take_constant(names, examples, found.model);
  if (names.empty()) throw Error("all features are the same in all lines");
  const Standardised lines(examples, names.size());
  const auto [least, most] = std::ranges::minmax(lines.scores);
  if (least == most) throw Error("the scores of all lines are the same");
  if (std::ranges::all_of(lines.signs, [](double sign) { return sign == 0; }))
    throw Error("no feature has an effect on the scores that is no chance");
  std::vector<std::size_t> every(names.size());
  std::iota(every.begin(), every.end(), 0);
  Standardised::Line best;
  found.error = std::numeric_limits<double>::infinity();
  const auto attempt = [&](double lambda, std::span<const std::size_t> used) {
    const std::vector<double> expected = lines.expected(lambda, used);
    const double error = lines.error(expected);
    if (!(error < found.error)) return false;
    found.error = error;
    fitted.rank_correlation = rank_correlation(expected, lines.scores);
    fitted.expected = expected;
    best = lines.fit(lambda, used, kParts);
    return true;
  };
  for (const std::size_t f : every)
    if (attempt(0, {&f, 1})) fitted.single = names[f];
  fitted.single_error = found.error, fitted.single_correlation = fitted.rank_correlation;
  fitted.expected_by_single = fitted.expected;
  for (const double lambda : kLambdas) attempt(lambda, every);
  found.constant = best.constant, found.least = least, found.most = most;
  found.lines = static_cast<double>(examples.size());
  for (std::size_t f = 0; f < names.size(); ++f) {
    const double weight = best.weights[f] / lines.deviations[f];
    found.constant -= weight * lines.means[f];
    if (weight != 0)
      found.weights.names.push_back(names[f]), found.weights.values.push_back(weight);
  }
  return fitted;
}

namespace {

// Each number of an expectation beside its weights.
template <class E, class Visit>
void each_number(E& e, const Visit& visit) {
  visit("fit.constant", e.constant), visit("fit.least", e.least), visit("fit.most", e.most);
  visit("fit.error", e.error), visit("fit.lines", e.lines), visit("fit.model", e.model);
  visit("fit.doubtful", e.doubtful);
}

}  // namespace

ExpectedScore read_expected_score(const std::string& path) {
  ExpectedScore found;
  found.weights = read_weights(path);
  std::vector<std::string>& names = found.weights.names;
  std::vector<double>& values = found.weights.values;
  each_number(found, [&](const char* name, double& number) {
    const auto at = std::ranges::find(names, name);
    if (at == names.end())
      throw Error(path, ": has no ", name, ", as a file that tt-quality fit has written");
    const auto value = values.begin() + (at - names.begin());
    number = *value;
    names.erase(at), values.erase(value);
  });
  if (!(found.lines >= 1) || !(found.error >= 0) || !(found.least <= found.most))
    throw Error(path, ": its numbers are none that tt-quality fit has written");
  return found;
}

std::string write_expected_score(const ExpectedScore& expectation) {
  Weights all = expectation.weights;
  each_number(expectation, [&](const char* name, double number) {
    all.names.push_back(name), all.values.push_back(number);
  });
  return write_weights(all);
}

}  // namespace tt::rerank
