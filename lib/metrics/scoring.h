// From segments to rows of statistics: hypotheses of one or several systems against their
// references.
//
// Only sums are kept, and rows on request. Blocks are counted in parallel, in chunks that do not
// depend on the number of threads, and delivered in order.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/thread_pool.h"
#include "metrics/metric.h"
#include "metrics/segments.h"

namespace tt::metrics {

// A block of segments with the rows of each.
struct ScoringBlock : SegmentBlock {
  std::vector<std::vector<std::vector<std::int32_t>>>
      rows;  // [metric][system]: size x width numbers
};

struct Scoring {
  std::size_t segments = 0;
  int references = 0;                                        // per segment; 0: their number varies
  std::vector<std::vector<Totals>> totals;                   // [metric][system]
  std::vector<std::vector<std::vector<std::int32_t>>> rows;  // [metric][system], if kept
  std::vector<std::size_t> tokenised;  // by system: lines that end in a space and a full stop
};

using Metrics = std::vector<std::unique_ptr<Metric>>;

// The scoring of no segments.
Scoring empty_scoring(const Metrics& metrics, std::size_t systems);

// Adds rows of one metric and system. Requires whole rows.
void add_rows(Scoring& scoring, std::size_t metric, std::size_t system,
              std::span<const std::int32_t> rows, bool keep_rows);

// Scores all remaining segments of `reader`. `visit`, if given, is called for each block in order,
// on the calling thread. Throws Error as SegmentReader::next() and the metrics do.
Scoring score_segments(SegmentReader& reader, const Metrics& metrics, ThreadPool& pool,
                       bool keep_rows = false,
                       const std::function<void(const ScoringBlock&)>& visit = {});

}  // namespace tt::metrics
