#include "decode/sampled.h"

#include <algorithm>
#include <cmath>
#include <iterator>

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
  if (k < outcomes_.size()) {
    std::ranges::nth_element(outcomes_, outcomes_.begin() + options_.top_k, likelier,
                             &Outcome::continuation);
    outcomes_.resize(k);
  }
  std::ranges::sort(outcomes_, likelier, &Outcome::continuation);
}

void Sampled::keep_top_p() {
  if (options_.top_p >= 1) return;
  std::ranges::sort(outcomes_, likelier, &Outcome::continuation);
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

// The outcome of `u`, which is uniform in [0, 1). There is at least one continuation.
const Continuation& Sampled::draw(std::span<const Continuation> continuations, float u) {
  heat(continuations);
  keep_top_k();
  keep_top_p();
  keep_above_epsilon();
  double left = static_cast<double>(u) * mass();
  for (const Outcome& o : outcomes_)
    if ((left -= o.weight) < 0) return o.continuation;
  return outcomes_.back().continuation;
}

// The pieces, of those that constraints ask for, that bring a sample nearer to their goal: those
// that go on with a phrase that it has begun, if it has.
std::vector<Continuation> Sampled::wanted(const SearchedSentence& sentence,
                                          const LiveHypothesis& live, const Continuations& row) {
  std::vector<Continuation> nearer;
  std::ranges::copy_if(std::span(row.pieces).last(row.asked), std::back_inserter(nearer),
                       [&](const Continuation& c) {
                         return sentence.constraints
                                    .fulfilment_with(live.progress, live.hypothesis.tokens, c.piece)
                                    .rank > live.fulfilment.rank;
                       });
  return nearer;
}

void Sampled::choose(const SearchedSentence& sentence, std::size_t group,
                     std::span<const Continuations> rows, std::vector<Extension>& extensions) {
  TT_CHECK(rows.size() == 1);
  const std::size_t first = sentence.index * groups();  // of its samples
  for (std::size_t i = randoms_.size(); i < first + groups(); ++i)
    randoms_.emplace_back(options_.seed, sentence.request->number,
                          static_cast<std::uint32_t>(i - first));
  Random& random = randoms_[first + group];
  const float u = random.uniform();
  const LiveHypothesis& live = sentence.groups[group].live[0];
  const Constraints& constraints = sentence.constraints;
  std::vector<Continuation> free(rows[0].pieces.begin(),
                                 rows[0].pieces.end() - static_cast<std::ptrdiff_t>(rows[0].asked)),
      asked;
  const bool lacks = live.fulfilment.met < constraints.goal().met;
  if (lacks) asked = wanted(sentence, live, rows[0]);
  if (lacks && asked.empty())
    std::erase_if(free, [&](const Continuation& c) { return c.piece == eos_; });
  const auto fulfilment = [&](std::int32_t piece) {
    if (constraints.empty() || piece == eos_) return live.fulfilment;
    return constraints.fulfilment_with(live.progress, live.hypothesis.tokens, piece);
  };
  // Whether it could not go on with a piece: it would end, or have too little room for what lacks.
  const auto room = sentence.request->limit - std::ssize(live.hypothesis.tokens) - 1;
  const auto too_late = [&](std::int32_t piece) {
    return lacks && !asked.empty() &&
           (piece == eos_ || room <= constraints.goal().rank - fulfilment(piece).rank);
  };
  bool late = live.hypothesis.late && !asked.empty();
  const auto end = std::ranges::find(free, eos_, &Continuation::piece);
  if (live.hypothesis.late && !lacks && end != free.end()) free = {*end};
  if (!late && free.empty()) return;
  Continuation drawn = draw(late ? asked : free, u);
  if (!late && too_late(drawn.piece)) {
    late = true;
    drawn = draw(asked, random.uniform());
  }
  extensions.push_back({0, drawn.piece, drawn.log_probability, late || live.hypothesis.late,
                        fulfilment(drawn.piece)});
}

}  // namespace tt
