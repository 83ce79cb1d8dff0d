#include "metrics/scoring.h"

#include "base/error.h"

namespace tt::metrics {

namespace {

void count(ScoringBlock& block, const Metrics& metrics, ThreadPool& pool) {
  const std::size_t systems = block.hypotheses.size();
  block.rows.resize(metrics.size());
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    block.rows[m].resize(systems);
    for (auto& rows : block.rows[m]) rows.resize(block.size * metrics[m]->width());
    metrics[m]->count(block, pool, block.rows[m]);
  }
}

void add(Scoring& scoring, const ScoringBlock& block, const Metrics& metrics, bool keep_rows) {
  for (std::size_t s = 0; s < block.hypotheses.size(); ++s) {
    for (const std::string& line : block.hypotheses[s])
      scoring.tokenised[s] += line.ends_with(" .");
    for (std::size_t m = 0; m < metrics.size(); ++m)
      add_rows(scoring, m, s, block.rows[m][s], keep_rows);
  }
}

}  // namespace

Scoring empty_scoring(const Metrics& metrics, std::size_t systems) {
  Scoring scoring;
  scoring.tokenised.resize(systems);
  for (const auto& metric : metrics)
    scoring.totals.emplace_back(systems, Totals(metric->width(), 0));
  scoring.rows.assign(metrics.size(), std::vector<std::vector<std::int32_t>>(systems));
  return scoring;
}

void add_rows(Scoring& scoring, std::size_t metric, std::size_t system,
              std::span<const std::int32_t> rows, bool keep_rows) {
  Totals& totals = scoring.totals[metric][system];
  for (std::size_t i = 0; i < rows.size(); ++i) totals[i % totals.size()] += rows[i];
  if (!keep_rows) return;
  auto& kept = scoring.rows[metric][system];
  kept.insert(kept.end(), rows.begin(), rows.end());
}

Scoring score_segments(SegmentReader& reader, const Metrics& metrics, ThreadPool& pool,
                       bool keep_rows, const std::function<void(const ScoringBlock&)>& visit) {
  TT_CHECK(!metrics.empty());
  Scoring scoring = empty_scoring(metrics, reader.systems().size());
  ScoringBlock block;
  while (reader.next(block)) {
    count(block, metrics, pool);
    add(scoring, block, metrics, keep_rows);
    if (visit) visit(block);
  }
  scoring.segments = reader.segments();
  scoring.references = reader.references();
  return scoring;
}

}  // namespace tt::metrics
