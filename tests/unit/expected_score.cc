// Expected scores of translations: their regression, and the file that has it.
#include <cmath>

#include "rerank/expected.h"
#include "tests/catch.h"
#include "tests/unit/text_fixture.h"

namespace tt::rerank {
namespace {

// Lines whose score is 50 + 8 a - 3 b and some noise, with a third feature that says nothing.
std::vector<Example> made_up(std::size_t lines, double noise) {
  std::vector<Example> all;
  std::uint64_t seed = 1;
  const auto next = [&] {
    return seed = seed * 6364136223846793005u + 1442695040888963407u,
           static_cast<double>(seed >> 33) / 2147483648.0 - 1;
  };
  for (std::size_t i = 0; i < lines; ++i) {
    const double a = next(), b = 10 * next(), c = next();
    all.push_back({{a, b, c, 7}, 50 + 8 * a - 3 * b + noise * next()});
  }
  return all;
}
const std::vector<std::string> kNames{"a", "b", "c", "d"};

TEST_CASE("a regression finds what made the scores, and how far off it is") {
  const FittedScore found = fit_expected_score(kNames, made_up(500, 2));
  const ExpectedScore& e = found.expectation;
  CHECK(found.constant == std::vector<std::string>{"d"});
  REQUIRE(e.weights.names.size() >= 2);
  CHECK(e.weights.names[0] == "a");
  CHECK(e.weights.values[0] == Approx(8).margin(0.4));
  CHECK(e.weights.values[1] == Approx(-3).margin(0.05));
  CHECK(e.error == Approx(2 / std::sqrt(12.0)).margin(0.06));
  CHECK(found.rank_correlation > 0.99);
  CHECK(found.single == "b");
  CHECK(found.single_error > e.error);
  CHECK(e.error_of_mean(500) == Approx(e.error * std::sqrt(2 / 500.0)));
  std::vector<double> some(e.weights.names.size(), 1e9);
  CHECK((e.of(some) == e.least || e.of(some) == e.most));
  some[0] = std::nan("");
  CHECK(std::isnan(e.of(some)));
}

TEST_CASE("a feature never has an effect against its own") {
  // b is a with noise: together, least squares would subtract it.
  std::vector<Example> lines = made_up(200, 0);
  for (Example& e : lines)
    e.features = {e.features[0], e.features[0] + e.features[2] / 50},
    e.score = 10 * e.features[0] - 8 * (e.features[1] - e.features[0]) * 50;
  const FittedScore found = fit_expected_score({"a", "b"}, lines);
  for (const double weight : found.expectation.weights.values) CHECK(weight >= 0);
}

TEST_CASE("a feature that one line alone has otherwise does no harm") {
  std::vector<Example> lines = made_up(100, 1);
  lines[3].features[3] = 8;
  const FittedScore found = fit_expected_score(kNames, lines);
  CHECK(found.constant.empty());
  CHECK(found.expectation.error < 1);
}

TEST_CASE("what cannot be fitted is refused") {
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(fit_expected_score(kNames, made_up(10, 1)),
                    Contains("4 features needs 50 lines") && Contains("there are 10"));
  CHECK_THROWS_WITH(fit_expected_score({"a", "b", "c", "d"}, made_up(49, 1)), Contains("50 lines"));
  CHECK_THROWS_WITH(fit_expected_score({"a", "b", "a", "d"}, made_up(90, 1)),
                    Contains("\"a\" is named twice"));
  std::vector<Example> lines = made_up(60, 1);
  for (Example& e : lines) e.features = {1};
  CHECK_THROWS_WITH(fit_expected_score({"a"}, lines), Contains("same in all lines"));
  lines = made_up(60, 1);
  for (Example& e : lines) e.score = 5;
  CHECK_THROWS_WITH(fit_expected_score(kNames, lines),
                    Contains("scores of all lines are the same"));
  lines = made_up(60, 1);
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i].score = static_cast<double>(i % 2);
  for (Example& e : lines) e.features = {e.features[2]};
  CHECK_THROWS_WITH(fit_expected_score({"c"}, lines), Contains("no feature has an effect"));
  lines = made_up(60, 1);
  CHECK_THROWS_WITH(fit_expected_score({"a", "b", "model", "d"}, lines),
                    Contains("several models"));
  CHECK(fit_expected_score({"a", "b", "c", "model"}, lines).expectation.model == 7);
}

TEST_CASE("a file of expected scores is read as it was written") {
  const Scratch scratch;
  const ExpectedScore e = fit_expected_score({"a", "b", "c", "model"}, made_up(100, 1)).expectation;
  const std::string text = write_expected_score(e);
  const ExpectedScore again = read_expected_score(scratch.file("weights", "# a comment\n" + text));
  CHECK(write_expected_score(again) == text);
  REQUIRE(again.weights.values.size() == 2);  // one feature is the same in all lines
  CHECK(again.of({0.5, 2}) == Approx(e.of({0.5, 2})));
  CHECK_THROWS_AS(read_expected_score(scratch.file("others", "LogProb= 1\n")), Error);
  CHECK_THROWS_AS(read_expected_score(scratch.file("wrong", text + "fit.lines= 0\n")), Error);
  std::string none = text;
  none.replace(none.find("fit.lines= 100"), 14, "fit.lines= 0");
  CHECK_THROWS_AS(read_expected_score(scratch.file("none", none)), Error);
}

TEST_CASE("words are doubtful below the chance that tells them best from those that are kept") {
  const std::vector<double> expected{10, 20, 30, 60, 70, 90}, all(6, 100);
  const Doubt best = best_doubt(expected, {0, 0, 100, 0, 100, 100});
  CHECK(best.below == 25);  // or 65, which is as good
  CHECK(best.correlation == Approx(6 / std::sqrt(2.0 * 4 * 3 * 3)));
  CHECK(best.doubtful == Approx(4.0 / 5));
  CHECK(best.kept == Approx(6.0 / 7));
  CHECK(best_doubt(expected, all).correlation == 0);
  CHECK(best_doubt(std::vector<double>(6, 50), {0, 0, 0, 100, 100, 100}).correlation == 0);
}

TEST_CASE("ranks of equal numbers are their mean") {
  CHECK(rank_correlation({1, 2, 3}, {10, 20, 90}) == Approx(1));
  CHECK(rank_correlation({1, 2, 3}, {3, 2, 1}) == Approx(-1));
  CHECK(rank_correlation({1, 1, 2}, {1, 2, 2}) == Approx(0.5));
  CHECK(rank_correlation({1, 1, 1}, {1, 2, 3}) == 0);
}

}  // namespace
}  // namespace tt::rerank
