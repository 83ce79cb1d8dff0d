#include "metrics/scoring.h"

#include <algorithm>

#include "base/error.h"

namespace tt::metrics {

namespace {

constexpr std::size_t kPiece = 32;  // segments that one task counts

void count(ScoringBlock& block, const Metrics& metrics, ThreadPool& pool) {
  const std::size_t systems = block.hypotheses.size();
  block.rows.resize(metrics.size());
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    block.rows[m].resize(systems);
    for (auto& rows : block.rows[m]) rows.resize(block.size * metrics[m]->width());
  }
  const std::size_t pieces = (block.size + kPiece - 1) / kPiece;
  pool.run(pieces * systems * metrics.size(), [&](std::size_t task, int) {
    const std::size_t piece = task % pieces, s = task / pieces % systems, m = task / pieces / systems,
                      width = metrics[m]->width();
    for (std::size_t i = piece * kPiece; i < std::min(block.size, (piece + 1) * kPiece); ++i)
      metrics[m]->segment(block.hypotheses[s][i], block.references[i], Row(block.rows[m][s]).subspan(i * width, width));
  });
}

void add(Scoring& scoring, const ScoringBlock& block, const Metrics& metrics, bool keep_rows) {
  for (std::size_t s = 0; s < block.hypotheses.size(); ++s) {
    for (const std::string& line : block.hypotheses[s]) scoring.tokenised[s] += line.ends_with(" .");
  }
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    for (std::size_t s = 0; s < block.rows[m].size(); ++s) {
      const auto& rows = block.rows[m][s];
      const Totals sum = sum_rows(rows, metrics[m]->width());
      for (std::size_t k = 0; k < sum.size(); ++k) scoring.totals[m][s][k] += sum[k];
      if (keep_rows) scoring.rows[m][s].insert(scoring.rows[m][s].end(), rows.begin(), rows.end());
    }
  }
}

}  // namespace

Scoring score_segments(SegmentReader& reader, const Metrics& metrics, ThreadPool& pool, bool keep_rows,
                       const std::function<void(const ScoringBlock&)>& visit) {
  TT_CHECK(!metrics.empty());
  const std::size_t systems = reader.systems().size();
  Scoring scoring;
  scoring.tokenised.resize(systems);
  for (const auto& metric : metrics) scoring.totals.emplace_back(systems, Totals(metric->width(), 0));
  scoring.rows.assign(metrics.size(), std::vector<std::vector<std::int32_t>>(systems));
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
