// Beam search on a toy model of five words, against enumeration of all its sentences.
#include "decode/beam.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/random.h"
#include "tests/catch.h"

namespace tt {
namespace {

constexpr int kWords = 5;  // 0 to 4; word 2 ends a sentence
constexpr std::int32_t kBos = -1, kEos = 2;

// P(word | prefix, sentence): derived from a hash of the prefix, so that every prefix has its own distribution.
std::vector<float> log_probabilities(std::int32_t sentence, const std::vector<std::int32_t>& prefix, float eos_bias) {
  std::uint64_t hash = static_cast<std::uint64_t>(sentence) + 17;
  for (const std::int32_t word : prefix) hash = hash * 31 + static_cast<std::uint64_t>(word) + 1;
  Random random(42, hash);
  std::vector<float> logits(kWords);
  double total = 0;
  for (float& x : logits) x = 2 * random.normal();
  logits[kEos] += eos_bias;
  for (const float x : logits) total += std::exp(static_cast<double>(x));
  for (float& x : logits) x -= static_cast<float>(std::log(total));
  return logits;
}

class ToyState : public State {
 public:
  ToyState(int sentences, float eos_bias) : eos_bias_(eos_bias) {
    for (int s = 0; s < sentences; ++s) rows_.push_back({s, {}});
  }
  void step(std::span<const std::int32_t> tokens, int best, float* values, std::int32_t* pieces) override {
    REQUIRE(tokens.size() == rows_.size());
    ++steps;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (tokens[r] != kBos) rows_[r].prefix.push_back(tokens[r]);
      const auto p = log_probabilities(rows_[r].sentence, rows_[r].prefix, eos_bias_);
      std::vector<std::int32_t> order(kWords);
      for (int w = 0; w < kWords; ++w) order[static_cast<std::size_t>(w)] = w;
      std::stable_sort(order.begin(), order.end(),
                       [&](auto a, auto b) { return p[static_cast<std::size_t>(a)] > p[static_cast<std::size_t>(b)]; });
      for (int i = 0; i < best; ++i, ++values, ++pieces) {
        *values = i < kWords ? p[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] : -INFINITY;
        *pieces = i < kWords ? order[static_cast<std::size_t>(i)] : 0;
      }
    }
  }
  void reorder(std::span<const std::int32_t> parents) override {
    std::vector<Row> rows;
    for (const std::int32_t parent : parents) rows.push_back(rows_[static_cast<std::size_t>(parent)]);
    rows_ = std::move(rows);
  }
  int steps = 0;

 private:
  struct Row {
    std::int32_t sentence;
    std::vector<std::int32_t> prefix;
  };
  std::vector<Row> rows_;
  float eos_bias_;
};

// The best sentence of at most `limit` words by trying all of them; one that reaches the limit need not have ended.
Hypothesis enumerate(std::int32_t sentence, std::int64_t limit, double alpha, float eos_bias) {
  Hypothesis best;
  best.score = -INFINITY;
  const std::function<void(const Hypothesis&)> extend = [&](const Hypothesis& h) {
    const auto p = log_probabilities(sentence, h.tokens, eos_bias);
    const auto length = static_cast<std::int64_t>(h.tokens.size());
    for (int word = 0; word < kWords; ++word) {
      Hypothesis next = h;
      next.log_probability += static_cast<double>(p[static_cast<std::size_t>(word)]);
      bool ended = word == kEos;
      if (!ended) next.tokens.push_back(word);
      if (ended || length + 1 == limit) {
        next.score = next.log_probability / length_penalty(length + 1, alpha);
        if (next.score > best.score) best = next;
      } else {
        extend(next);
      }
    }
  };
  extend({});
  return best;
}

}  // namespace

namespace {

// A model that returns the same number for everything.
class ConstantState : public State {
 public:
  explicit ConstantState(float value) : value_(value) {}
  void step(std::span<const std::int32_t> tokens, int best, float* values, std::int32_t* pieces) override {
    for (std::size_t i = 0; i < tokens.size() * static_cast<std::size_t>(best); ++i) values[i] = value_, pieces[i] = 4;
  }
  void reorder(std::span<const std::int32_t>) override {}

 private:
  float value_;
};

}  // namespace

TEST_CASE("non-finite numbers end the search, and a sentence without continuations ends as it is") {
  const std::vector<std::int64_t> limits = {5, 3};
  for (const float bad : {NAN, INFINITY}) {
    ConstantState state(bad);
    CHECK_THROWS_AS(beam_search(state, limits, kBos, kEos, {}), NotFinite);
  }
  ConstantState nothing(-INFINITY);
  const auto found = beam_search(nothing, limits, kBos, kEos, {});
  REQUIRE(found.size() == 2);
  for (const auto& sentence : found) {
    REQUIRE(sentence.size() == 1);
    CHECK(sentence[0].tokens.empty());
  }
}

TEST_CASE("a beam as wide as the tree finds the best of all sentences") {
  const double alpha = GENERATE(0.0, 0.6, 1.0);
  const float eos_bias = GENERATE(-2.0f, 0.0f, 1.0f);
  SearchOptions options;
  options.beam = 2000;  // more than 5^4 prefixes
  options.alpha = alpha;
  const std::vector<std::int64_t> limits{1, 3, 5, 4, 5, 2};
  ToyState state(static_cast<int>(limits.size()), eos_bias);
  const auto found = beam_search(state, limits, kBos, kEos, options);
  for (std::size_t s = 0; s < limits.size(); ++s) {
    const Hypothesis best = enumerate(static_cast<std::int32_t>(s), limits[s], alpha, eos_bias);
    INFO("sentence " << s << ", alpha " << alpha << ", bias " << eos_bias);
    CHECK(found[s][0].tokens == best.tokens);
    CHECK(found[s][0].score == Approx(best.score));
  }
}

TEST_CASE("a beam of one is greedy search") {
  SearchOptions options;
  options.beam = 1;
  ToyState state(4, 0);
  const std::vector<std::int64_t> limits(4, 6);
  const auto found = beam_search(state, limits, kBos, kEos, options);
  for (std::int32_t s = 0; s < 4; ++s) {
    std::vector<std::int32_t> greedy;
    for (bool ended = false; !ended && greedy.size() < 6;) {
      const auto p = log_probabilities(s, greedy, 0);
      const auto word = static_cast<std::int32_t>(std::max_element(p.begin(), p.end()) - p.begin());
      ended = word == kEos;
      if (!ended) greedy.push_back(word);
    }
    CHECK(found[static_cast<std::size_t>(s)][0].tokens == greedy);
  }
}

TEST_CASE("hypotheses come best first and no longer than the limit") {
  SearchOptions options;
  const std::vector<std::int64_t> limits{7, 1, 12};
  ToyState state(3, -3);
  const auto found = beam_search(state, limits, kBos, kEos, options);
  for (std::size_t s = 0; s < limits.size(); ++s) {
    REQUIRE(!found[s].empty());
    for (std::size_t i = 0; i < found[s].size(); ++i) {
      CHECK(static_cast<std::int64_t>(found[s][i].tokens.size()) <= limits[s]);
      if (i > 0) CHECK(found[s][i - 1].score >= found[s][i].score);
    }
  }
}

TEST_CASE("search ends when nothing alive can overtake the best") {
  SearchOptions options;
  options.beam = 4;
  ToyState state(1, 12);  // </s> is all but certain at once
  const std::vector<std::int64_t> limits{50};
  const auto found = beam_search(state, limits, kBos, kEos, options);
  CHECK(found[0][0].tokens.empty());
  CHECK(state.steps <= 2);
}

TEST_CASE("the length penalty is that of Wu et al.") {
  CHECK(length_penalty(1, 0.6) == 1.0);
  CHECK(length_penalty(13, 1) == Approx(3.0));
  CHECK(length_penalty(100, 0) == 1.0);
}

}  // namespace tt
