// Tuning against a case worked by hand, and the search along a line against enumeration.
#include <algorithm>
#include <cmath>
#include <random>

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"
#include "rerank/mert.h"
#include "tests/catch.h"

namespace tt::rerank {

namespace {

// A metric of one number: how many characters of a text are "+", of all.
class Pluses : public metrics::Metric {
 public:
  std::string name() const override { return "pluses"; }
  std::size_t width() const override { return 1; }
  void segment(std::string_view text, std::span<const std::string_view>,
               metrics::Row row) const override {
    row[0] = static_cast<std::int32_t>(std::ranges::count(text, '+'));
  }
  double score(const metrics::Totals& totals) const override {
    return static_cast<double>(totals[0]);
  }
  Fields fields() const override { return {}; }
  Details details(const metrics::Totals&) const override { return {}; }
};

void add(TuningSet& set, std::vector<double> features, std::string_view text) {
  const std::string_view reference = "a b c d e";
  set.add(features, text, {&reference, 1});
}

// Two lines with three candidates each, whose two features are (height, slope) of lines in t:
//   line 1:  2 - t (+)     1 (+++)        t - 3 ()        from 1 on the second, from 4 on the third
//   line 2:  0 (++)       t - 2 (++++)    2t - 7 (+)      from 2 on the second, from 5 on the third
// So pluses are 3 below 1, 5 from 1 to 2, 7 from 2 to 4, 4 from 4 to 5, 1 above.
TuningSet worked_case() {
  TuningSet set(2, std::make_unique<Pluses>());
  set.add_line();
  add(set, {2, -1}, "+"), add(set, {1, 0}, "+++"), add(set, {-3, 1}, "");
  set.add_line();
  add(set, {0, 0}, "++"), add(set, {-2, 1}, "++++"), add(set, {-7, 2}, "+");
  return set;
}

TuningSet random_set(std::mt19937& random, std::unique_ptr<metrics::Metric> metric, int lines) {
  TuningSet set(3, std::move(metric));
  std::uniform_real_distribution<double> number(-1, 1);
  for (int line = 0; line < lines; ++line) {
    set.add_line();
    for (std::size_t n = 1 + random() % 6; n > 0; --n) {
      std::string text;
      for (std::size_t i = random() % 8; i > 0; --i)
        (text += text.empty() ? "" : " ") += std::string(1, static_cast<char>('a' + random() % 6));
      // Some are equal, and some differ in one feature alone.
      if (random() % 4 == 0) add(set, {0.5, 0.25, number(random)}, text);
      else add(set, {number(random), number(random), number(random)}, text);
    }
  }
  return set;
}

}  // namespace

TEST_CASE("a line search finds the place worked out by hand", "[rerank]") {
  const TuningSet set = worked_case();
  const std::vector<double> weights = {1, 0}, direction = {0, 1};
  const TuningSet::Optimum optimum = set.search(weights, direction);
  CHECK(optimum.t == 3);  // in the middle of 2 and 4
  CHECK(optimum.score == 7);
  for (const auto& [t, score] :
       {std::pair{0.5, 3.0}, {1.5, 5.0}, {3.0, 7.0}, {4.5, 4.0}, {9.0, 1.0}})
    CHECK(set.score(std::vector<double>{1, t}) == score);
  CHECK(set.first_score() == 3);

  const Tuned tuned = tune(set, weights, 0, 1, 1);
  CHECK(tuned.score == 7);
  CHECK(tuned.weights[0] == Approx(0.25));
  CHECK(tuned.weights[1] == Approx(0.75));
}

TEST_CASE("a line search finds what enumeration finds", "[rerank]") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int round = 0; round < 60; ++round) {
    std::unique_ptr<metrics::Metric> metric;
    if (round % 3 == 0) metric = std::make_unique<metrics::Bleu>(metrics::BleuOptions());
    else if (round % 3 == 1) metric = std::make_unique<metrics::Chrf>(metrics::ChrfOptions());
    else metric = std::make_unique<metrics::Ter>(metrics::TerOptions());
    const TuningSet set = random_set(random, std::move(metric), 4);
    const std::vector<double> weights = {number(random), number(random), number(random)},
                              direction = {number(random), number(random), number(random)};
    const auto score_at = [&](double t) {
      std::vector<double> there = weights;
      for (std::size_t i = 0; i < 3; ++i) there[i] += t * direction[i];
      return set.score(there);
    };
    const TuningSet::Optimum optimum = set.search(weights, direction);
    CHECK(score_at(optimum.t) == optimum.score);
    double best = score_at(0);
    for (int step = -20000; step <= 20000; ++step) {
      // From -200 to 200, more densely at 0.
      const double t = std::pow(step / 20000.0, 3) * 200, score = score_at(t);
      if (set.better(score, best)) best = score;
    }
    CHECK_FALSE(set.better(best, optimum.score));
    CHECK(optimum.score == Approx(best).epsilon(1e-3));  // a grid may miss what is narrow
  }
}

TEST_CASE("tuning depends on the seed, and not on threads", "[rerank]") {
  std::mt19937 random(5);
  const TuningSet set =
      random_set(random, std::make_unique<metrics::Chrf>(metrics::ChrfOptions()), 30);
  const std::vector<double> initial = {1, 0, 0};
  const Tuned one = tune(set, initial, 10, 7, 1), two = tune(set, initial, 10, 7, 3);
  CHECK(one.weights == two.weights);
  CHECK(one.score == two.score);
  CHECK(one.score == set.score(one.weights));
  CHECK(one.score > set.score(initial));
  CHECK(std::abs(one.weights[0]) + std::abs(one.weights[1]) + std::abs(one.weights[2]) ==
        Approx(1));
  // More starts are never worse.
  CHECK_FALSE(set.better(tune(set, initial, 0, 7, 1).score, one.score));
}

}  // namespace tt::rerank
