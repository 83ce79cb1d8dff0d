#include "decode/ensemble.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "decode/search.h"

namespace tt {
namespace {

// The logarithm of the mean of the probabilities of element i, and the largest of their logarithms,
// which is no less.
struct Mean {
  const std::vector<std::vector<float>>& members;

  float most(std::size_t i) const {
    float x = members[0][i];
    for (std::size_t m = 1; m < members.size(); ++m)
      if (!std::isnan(x) && !(members[m][i] <= x)) x = members[m][i];  // NaN if one is
    return x;
  }
  std::size_t culprit(std::size_t i) const {
    std::size_t m = 0;
    while (members[m][i] < INFINITY) ++m;  // false for NaN
    return m;
  }
  float of(std::size_t i) const {
    const float top = most(i);
    if (top == -INFINITY) return top;
    if (!std::isfinite(top)) throw NotFinite(culprit(i));
    double sum = 0;
    for (const auto& member : members)
      sum += std::exp(static_cast<double>(member[i]) - static_cast<double>(top));
    const double mean =
        static_cast<double>(top) + std::log(sum / static_cast<double>(members.size()));
    if (std::isnan(mean)) throw NotFinite(culprit(i));
    return static_cast<float>(mean);
  }
};

}  // namespace

void EnsembleState::restrict(std::vector<PieceList> lists) {
  for (const auto& member : members_) member->restrict(lists);
}

void EnsembleState::step_members(std::span<const std::int32_t> tokens) {
  all_.resize(members_.size());
  for (std::size_t m = 0; m < members_.size(); ++m) {
    members_[m]->step(tokens, all_[m]);
    TT_CHECK(all_[m].size() == all_[0].size());
  }
}

void EnsembleState::step(std::span<const std::int32_t> tokens, std::vector<float>& all) {
  step_members(tokens);
  all.resize(all_[0].size());
  const Mean mean{all_};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = mean.of(i);
}

void EnsembleState::step(std::span<const std::int32_t> tokens, const BestQuery& query,
                         BestScores& scores) {
  step_members(tokens);
  const Mean mean{all_};
  const std::size_t rows = tokens.size(), v = all_[0].size() / rows,
                    best = static_cast<std::size_t>(query.best),
                    barred = query.barred.size() / rows, asked = query.asked.size() / rows;
  scores.values.assign(rows * best, -INFINITY);
  scores.pieces.assign(rows * best, 0);
  scores.asked.assign(rows * asked, -INFINITY);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < asked; ++i)
      if (const std::int32_t piece = query.asked[r * asked + i]; piece >= 0)
        scores.asked[r * asked + i] = mean.of(r * v + static_cast<std::size_t>(piece));
    const auto none = query.barred.subspan(r * barred, barred);
    float* values = scores.values.data() + r * best;
    std::int32_t* pieces = scores.pieces.data() + r * best;
    for (std::size_t i = 0; i < v; ++i) {
      // Only what could come among the best is worth its exponentials.
      if (mean.most(r * v + i) <= values[best - 1]) continue;
      const auto piece = static_cast<std::int32_t>(i);
      if (std::ranges::find(none, piece) != none.end()) continue;
      const float x = mean.of(r * v + i);
      if (x <= values[best - 1]) continue;
      std::size_t at = best - 1;
      for (; at > 0 && !(values[at - 1] >= x); --at)
        values[at] = values[at - 1], pieces[at] = pieces[at - 1];
      values[at] = x;
      pieces[at] = piece;
    }
  }
}

void EnsembleState::reorder(std::span<const std::int32_t> parents) {
  for (const auto& member : members_) member->reorder(parents);
}

}  // namespace tt
