#include "decode/sampled.h"

#include <cmath>

#include "base/error.h"

namespace tt {
namespace {

bool likelier(const Continuation& a, const Continuation& b) {
  return a.log_probability != b.log_probability ? a.log_probability > b.log_probability
                                                : a.piece < b.piece;
}

}  // namespace

// Weights p^(1 / temperature), of which the largest is 1, so that not all vanish where it is low.
void Sampled::heat(std::span<const Continuation> continuations) {
  float best = -INFINITY;
  for (const Continuation& c : continuations) best = std::max(best, c.log_probability);
  outcomes_.resize(continuations.size());
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    const Continuation& c = continuations[i];
    outcomes_[i] = {c,
                    std::exp(static_cast<double>(c.log_probability - best) / options_.temperature)};
  }
}

void Sampled::keep_top_k() {
  const auto k = static_cast<std::size_t>(options_.top_k);
  if (k == 0) return;
  const auto by = [](const Outcome& a, const Outcome& b) {
    return likelier(a.continuation, b.continuation);
  };
  if (k < outcomes_.size()) {
    std::nth_element(outcomes_.begin(), outcomes_.begin() + options_.top_k, outcomes_.end(), by);
    outcomes_.resize(k);
  }
  std::sort(outcomes_.begin(), outcomes_.end(), by);
}

void Sampled::keep_top_p() {
  if (options_.top_p >= 1) return;
  std::sort(outcomes_.begin(), outcomes_.end(), [](const Outcome& a, const Outcome& b) {
    return likelier(a.continuation, b.continuation);
  });
  const double most = options_.top_p * mass();
  double sum = 0;
  std::size_t kept = 0;
  while (kept < outcomes_.size() && (kept == 0 || sum < most)) sum += outcomes_[kept++].weight;
  outcomes_.resize(kept);
}

void Sampled::keep_above_epsilon() {
  if (options_.epsilon == 0) return;
  const double least =
      std::min(1.0, options_.epsilon * mass());  // 1 is the weight of the likeliest
  std::erase_if(outcomes_, [&](const Outcome& o) { return o.weight < least; });
}

double Sampled::mass() const {
  double sum = 0;
  for (const Outcome& o : outcomes_) sum += o.weight;
  return sum;
}

// The outcome of `u`, which is uniform in [0, 1).
const Continuation& Sampled::draw(float u) const {
  double left = static_cast<double>(u) * mass();
  for (const Outcome& o : outcomes_)
    if ((left -= o.weight) < 0) return o.continuation;
  return outcomes_.back().continuation;
}

void Sampled::choose(const SearchedSentence& sentence, std::size_t group,
                     std::span<const Continuations> rows, std::vector<Extension>& extensions) {
  TT_CHECK(sentence.constraints.empty() && rows.size() == 1);
  const std::size_t first = sentence.index * groups();  // of its samples
  for (std::size_t i = randoms_.size(); i < first + groups(); ++i)
    randoms_.emplace_back(options_.seed, sentence.request->number,
                          static_cast<std::uint32_t>(i - first));
  const float u = randoms_[first + group].uniform();
  if (rows[0].pieces.empty()) return;
  heat(rows[0].pieces);
  keep_top_k();
  keep_top_p();
  keep_above_epsilon();
  const Continuation& drawn = draw(u);
  extensions.push_back({0, drawn.piece, drawn.log_probability});
}

}  // namespace tt
