#include "metrics/groups.h"

#include "base/error.h"

namespace tt::metrics {

void Groups::add(const ScoringBlock& block, const Metrics& metrics) {
  TT_CHECK(block.groups.size() == block.size);
  for (std::size_t i = 0; i < block.size; ++i) {
    const auto [found, is_new] = numbers_.try_emplace(block.groups[i], names_.size());
    if (is_new)
      names_.push_back(block.groups[i]),
          scorings_.push_back(empty_scoring(metrics, block.hypotheses.size()));
    Scoring& scoring = scorings_[found->second];
    ++scoring.segments;
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      const std::size_t width = metrics[m]->width();
      for (std::size_t s = 0; s < block.hypotheses.size(); ++s)
        add_rows(scoring, m, s, std::span(block.rows[m][s]).subspan(i * width, width), keep_rows_);
    }
  }
}

}  // namespace tt::metrics
