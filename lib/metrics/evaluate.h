// A complete evaluation, from files to a report: the work of tt-bleu after option parsing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/file.h"
#include "metrics/registry.h"
#include "metrics/report.h"
#include "metrics/scoring.h"

namespace tt::metrics {

struct Evaluation : MetricSettings {
  SegmentFiles input;
  std::vector<std::string> metrics = {"bleu"};  // of metric_names()
  std::string language;                         // of the translations, if known, such as "zh"
  bool force = false;                           // do not warn that text looks already tokenised
  ReportOptions report;
  bool sentence = false;  // score each segment separately
  bool compare = false;   // show where two systems differ
  bool confidence = false, paired_bs = false,
       paired_ar = false;  // tests; the paired ones exclude each other
  int samples = 0;         // for a test; 0: 1,000, or 10,000 for paired_ar
  std::uint64_t seed = 12345;
  int top = 5;           // entries in each list of `compare`
  int length_step = 10;  // tokens of the reference in each of its groups
  int threads = 1;
};

// Throws Error if the settings contradict each other. If standard input may hold several systems,
// their number is checked later, by evaluate().
void check(const Evaluation& evaluation);

// Writes the report to `out`; notes go to stderr. True if the input was degraded (not UTF-8), which
// is also reported on stderr. Throws Error as score_segments() does. Requires check() to pass.
bool evaluate(Evaluation evaluation, Output& out);

}  // namespace tt::metrics
