// From files of lines to rows of statistics: hypotheses of one or several systems against one or several references.
//
// Text passes through in blocks and is not kept; what is kept are sums, and rows if asked for. Blocks are counted in parallel, in
// pieces whose bounds do not depend on the number of threads, and delivered in order.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "metrics/metric.h"

namespace tt::metrics {

struct ScoringInput {
  std::vector<std::string> references;  // paths; line i of each is a reference of segment i, an empty line is none
  std::vector<std::string> systems;     // paths
  bool prefix = false;                  // score as many segments as the shortest file has
  bool keep_rows = false;
};

// A block of consecutive segments, as it passes through.
struct ScoringBlock {
  std::size_t first = 0, size = 0;                           // segments; the first of all is 0
  std::vector<std::vector<std::string>> hypotheses;          // [system][segment of the block], without white space at the end
  std::vector<std::vector<std::string_view>> references;     // [segment][reference]: those that are there
  std::vector<std::vector<std::vector<std::int32_t>>> rows;  // [metric][system]: size x width numbers
};

struct Scoring {
  std::size_t segments = 0;
  int references = 0;                                        // per segment; 0: their number varies
  std::vector<std::vector<Totals>> totals;                   // [metric][system]
  std::vector<std::vector<std::vector<std::int32_t>>> rows;  // [metric][system], if kept
  std::vector<std::size_t> tokenised;                        // by system: lines that end in a full stop behind a space
  std::vector<std::string> degraded;                         // what had to be repaired, one sentence per file
  bool cut = false;                                          // by `prefix`: some file has more lines
};

using Metrics = std::vector<std::unique_ptr<Metric>>;

// Scores all lines. `visit`, where given, sees each block in order, on the calling thread.
// A segment whose reference lines are all empty is scored against the empty text, as sacreBLEU does; otherwise empty ones do not
// count. White space at the end of a line is no part of it. Bytes that are not UTF-8 are read as U+FFFD.
// Throws Error if a file cannot be read, if there are no lines, or if files differ in length without `prefix`.
Scoring score_files(const ScoringInput& input, const Metrics& metrics, ThreadPool& pool,
                    const std::function<void(const ScoringBlock&)>& visit = {});

}  // namespace tt::metrics
