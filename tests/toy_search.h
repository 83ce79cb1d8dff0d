// A toy model of five words, and the enumeration of all its sentences, for tests of search.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"
#include "decode/search.h"
#include "decode/terms.h"
#include "decode/token_constraints.h"
#include "tests/catch.h"

namespace tt {

constexpr int kWords = 5;  // 0 to 4; word 2 ends a sentence
constexpr std::int32_t kBos = -1, kEos = 2;

// P(word | prefix, sentence): derived from a hash of the prefix, so that every prefix has its own
// distribution.
inline std::vector<float> log_probabilities(std::int32_t sentence,
                                            const std::vector<std::int32_t>& prefix,
                                            float eos_bias) {
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

// The best of log-probabilities [rows, v], found in the most naive way.
inline void best_from(const std::vector<float>& all, std::size_t v, const BestQuery& query,
                      BestScores& scores) {
  const std::size_t rows = all.size() / v, barred = query.barred.size() / rows,
                    asked = query.asked.size() / rows;
  scores = {};
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<float> p(all.begin() + static_cast<std::ptrdiff_t>(r * v),
                         all.begin() + static_cast<std::ptrdiff_t>((r + 1) * v));
    for (std::size_t i = 0; i < asked; ++i) {
      const std::int32_t piece = query.asked[r * asked + i];
      scores.asked.push_back(piece < 0 ? -INFINITY : p[static_cast<std::size_t>(piece)]);
    }
    for (std::size_t i = 0; i < barred; ++i)
      if (const std::int32_t piece = query.barred[r * barred + i]; piece >= 0)
        p[static_cast<std::size_t>(piece)] = -INFINITY;
    std::vector<std::int32_t> order(v);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
      return p[static_cast<std::size_t>(a)] > p[static_cast<std::size_t>(b)];
    });
    for (std::size_t i = 0; i < static_cast<std::size_t>(query.best); ++i) {
      scores.pieces.push_back(i < v ? order[i] : 0);
      scores.values.push_back(i < v ? p[static_cast<std::size_t>(order[i])] : -INFINITY);
    }
  }
}

// Log-probabilities over a list of pieces alone.
inline void renormalise(std::vector<float>& p, const PieceList& list) {
  double sum = 0;
  for (const std::int32_t piece : list)
    sum += std::exp(static_cast<double>(p[static_cast<std::size_t>(piece)]));
  for (std::size_t i = 0; i < p.size(); ++i)
    if (std::ranges::binary_search(list, static_cast<std::int32_t>(i)))
      p[i] -= static_cast<float>(std::log(sum));
    else p[i] = -INFINITY;
}

class ToyState : public State {
 public:
  using Model = std::function<std::vector<float>(std::int32_t sentence,
                                                 const std::vector<std::int32_t>& prefix)>;
  ToyState(int sentences, Model model) : model_(std::move(model)) {
    for (int s = 0; s < sentences; ++s) rows_.push_back({s, {}});
  }
  ToyState(int sentences, float eos_bias)
      : ToyState(sentences, [eos_bias](auto sentence, const auto& prefix) {
          return log_probabilities(sentence, prefix, eos_bias);
        }) {}
  void restrict(std::vector<PieceList> lists) override { lists_ = std::move(lists); }
  void step(std::span<const std::int32_t> tokens, const BestQuery& query,
            BestScores& scores) override {
    std::vector<float> all;
    step(tokens, all);
    best_from(all, kWords, query, scores);
  }
  void step(std::span<const std::int32_t> tokens, std::vector<float>& all) override {
    REQUIRE(tokens.size() == rows_.size());
    ++steps;
    all.clear();
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (tokens[r] != kBos) rows_[r].prefix.push_back(tokens[r]);
      auto p = model_(rows_[r].sentence, rows_[r].prefix);
      if (!lists_.empty()) renormalise(p, lists_[static_cast<std::size_t>(rows_[r].sentence)]);
      all.insert(all.end(), p.begin(), p.end());
    }
  }
  void reorder(std::span<const std::int32_t> parents) override {
    std::vector<Row> rows;
    for (const std::int32_t parent : parents)
      rows.push_back(rows_[static_cast<std::size_t>(parent)]);
    rows_ = std::move(rows);
  }
  int steps = 0;

 private:
  struct Row {
    std::int32_t sentence;
    std::vector<std::int32_t> prefix;
  };
  std::vector<Row> rows_;
  std::vector<PieceList> lists_;
  Model model_;
};

using Words = std::vector<std::int32_t>;
using Distribution = std::function<std::vector<float>(const Words& prefix)>;
using Allowed = std::function<bool(const Words& words, bool ended)>;

// All sentences of at most `limit` words, best first; one that reaches the limit need not have
// ended. The first `given` words do not count in the score, but for the length.
inline std::vector<Hypothesis> enumerate(const Distribution& distribution, std::int64_t limit,
                                         const Penalty& penalty, const Allowed& allowed = {},
                                         std::size_t given = 0) {
  std::vector<Hypothesis> all;
  const std::function<void(const Hypothesis&)> extend = [&](const Hypothesis& h) {
    const auto p = distribution(h.tokens);
    for (std::int32_t word = 0; word < kWords; ++word) {
      Hypothesis next = h;
      next.append(word, p[static_cast<std::size_t>(word)], kEos);
      if (h.tokens.size() < given) next.forced = next.log_probability;
      const bool ended = word == kEos;
      if (!ended && static_cast<std::int64_t>(next.tokens.size()) < limit) {
        extend(next);
      } else if (!allowed || allowed(next.tokens, ended)) {
        next.score = (next.log_probability - next.forced) /
                     penalty.of(static_cast<std::int64_t>(h.tokens.size()) + 1);
        all.push_back(next);
      }
    }
  };
  extend({});
  std::stable_sort(all.begin(), all.end(),
                   [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
  return all;
}

inline Distribution toy(std::int32_t sentence, float eos_bias) {
  return [=](const Words& prefix) { return log_probabilities(sentence, prefix, eos_bias); };
}

inline std::vector<SearchRequest> within_limits(std::initializer_list<std::int64_t> limits) {
  std::vector<SearchRequest> requests;
  for (const std::int64_t limit : limits) requests.push_back({limit});
  return requests;
}

inline SearchRequest with_terms(std::int64_t limit, const std::vector<std::vector<Words>>& terms) {
  SearchRequest request{limit};
  request.constraints.push_back(std::make_shared<Terms>(terms));
  return request;
}

inline SearchRequest with_prefix(std::int64_t limit, const Words& prefix) {
  SearchRequest request{limit};
  request.constraints.push_back(std::make_shared<Prefix>(prefix));
  return request;
}

inline SearchOptions wide() {
  SearchOptions options;
  options.beam = 2000;  // more than 5^4 prefixes
  return options;
}

}  // namespace tt
