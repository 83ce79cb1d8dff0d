#include "decode/sample.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace tt {
namespace {

struct Drawing {
  std::size_t sentence;
  Random random;
  Hypothesis hypothesis;
};

// Pieces that may be drawn, and by what chance.
struct Outcome {
  std::int32_t piece;
  float log_probability;
  double weight;
};

void check_finite(float log_probability) {
  if (std::isnan(log_probability) || log_probability == INFINITY) throw NotFinite();
}

class Sampler {
 public:
  Sampler(const SearchOptions& search, const SampleOptions& options, std::int32_t eos)
      : search_(search), options_(options), eos_(eos) {}

  // The outcome that `u`, uniform in [0, 1), makes among the continuations of `tokens`; null if nothing may follow.
  const Outcome* draw(std::span<const float> all, std::span<const std::int32_t> tokens, float u) {
    barred_.clear();
    search_.rules.bar(tokens, eos_, barred_);
    std::sort(barred_.begin(), barred_.end());
    outcomes_.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
      check_finite(all[i]);
      const auto piece = static_cast<std::int32_t>(i);
      if (all[i] > -INFINITY && !std::binary_search(barred_.begin(), barred_.end(), piece))
        outcomes_.push_back({piece, all[i], 0});
    }
    if (outcomes_.empty()) return nullptr;
    heat();
    shorten();
    double left = static_cast<double>(u) * mass();
    for (const Outcome& c : outcomes_)
      if ((left -= c.weight) < 0) return &c;
    return &outcomes_.back();
  }

 private:
  // The weights at the temperature, of which the largest is 1, so that not all vanish where it is low.
  void heat() {
    float best = -INFINITY;
    for (const Outcome& c : outcomes_) best = std::max(best, c.log_probability);
    for (Outcome& c : outcomes_) c.weight = std::exp(static_cast<double>(c.log_probability - best) / options_.temperature);
  }

  // Leaves what top-k, top-p and then epsilon let pass, in the order of the pieces where nothing has to go.
  void shorten() {
    const auto likelier = [](const Outcome& a, const Outcome& b) {
      return a.log_probability != b.log_probability ? a.log_probability > b.log_probability : a.piece < b.piece;
    };
    if (const auto k = static_cast<std::size_t>(options_.top_k); k > 0 && k < outcomes_.size()) {
      std::nth_element(outcomes_.begin(), outcomes_.begin() + options_.top_k, outcomes_.end(), likelier);
      outcomes_.resize(k);
    }
    if (options_.top_k > 0 || options_.top_p < 1) std::sort(outcomes_.begin(), outcomes_.end(), likelier);
    if (options_.top_p < 1) {
      const double most = options_.top_p * mass();
      double sum = 0;
      std::size_t kept = 0;
      while (kept < outcomes_.size() && (kept == 0 || sum < most)) sum += outcomes_[kept++].weight;
      outcomes_.resize(kept);
    }
    if (options_.epsilon == 0) return;
    const double least = std::min(1.0, options_.epsilon * mass());  // 1 is the weight of the likeliest
    std::erase_if(outcomes_, [&](const Outcome& c) { return c.weight < least; });
  }

  double mass() const {
    double mass = 0;
    for (const Outcome& c : outcomes_) mass += c.weight;
    return mass;
  }

  const SearchOptions& search_;
  const SampleOptions& options_;
  const std::int32_t eos_;
  std::vector<Outcome> outcomes_;
  std::vector<std::int32_t> barred_;
};

}  // namespace

std::vector<std::vector<Hypothesis>> sample(State& state, std::span<const Sought> sentences,
                                            std::span<const std::uint64_t> numbers, std::int32_t bos, std::int32_t eos,
                                            const SearchOptions& search, const SampleOptions& options) {
  TT_CHECK(options.samples >= 1 && numbers.size() == sentences.size());
  std::vector<std::vector<Hypothesis>> results(sentences.size());
  std::vector<Drawing> live;
  std::vector<std::int32_t> parents, tokens;
  for (std::size_t s = 0; s < sentences.size(); ++s)
    for (int i = 0; i < options.samples; ++i) {
      live.push_back({s, Random(options.seed, numbers[s], static_cast<std::uint32_t>(i)), {}});
      parents.push_back(static_cast<std::int32_t>(s));
      results[s].emplace_back();
    }
  std::vector<std::size_t> place(live.size());  // of each drawing among those of its sentence
  for (std::size_t i = 0; i < live.size(); ++i) place[i] = i % static_cast<std::size_t>(options.samples);
  if (options.samples > 1) state.reorder(parents);
  tokens.assign(live.size(), bos);
  Sampler sampler(search, options, eos);
  std::vector<float> all;
  while (!live.empty()) {
    state.step(tokens, all);
    const std::size_t v = all.size() / tokens.size();
    tokens.clear();
    parents.clear();
    std::size_t kept = 0;
    for (std::size_t r = 0; r < live.size(); ++r) {
      Drawing& d = live[r];
      const Sought& sought = sentences[d.sentence];
      const std::span<const float> row(all.data() + r * v, v);
      const std::size_t done = d.hypothesis.tokens.size();
      const float u = d.random.uniform();
      std::int32_t piece = eos;
      if (done < sought.prefix.size()) {
        piece = sought.prefix[done];
        check_finite(row[static_cast<std::size_t>(piece)]);
        d.hypothesis.append(piece, row[static_cast<std::size_t>(piece)], eos);
        d.hypothesis.given = d.hypothesis.log_probability;
      } else if (const Outcome* outcome = sampler.draw(row, d.hypothesis.tokens, u)) {
        piece = outcome->piece;
        d.hypothesis.append(piece, outcome->log_probability, eos);
      }
      if (piece == eos || static_cast<std::int64_t>(d.hypothesis.tokens.size()) >= sought.limit) {
        d.hypothesis.finish(search.penalty, sought.source);
        results[d.sentence][place[r]] = std::move(d.hypothesis);
        continue;
      }
      tokens.push_back(piece);
      parents.push_back(static_cast<std::int32_t>(r));
      place[kept] = place[r];
      if (kept != r) live[kept] = std::move(d);
      ++kept;
    }
    live.erase(live.begin() + static_cast<std::ptrdiff_t>(kept), live.end());
    if (!live.empty()) state.reorder(parents);
  }
  return results;
}

}  // namespace tt
