// Formatting of scores: one line per metric with its signature, a table for several systems, or JSON.
#pragma once

#include <string>
#include <vector>

#include "metrics/compare.h"
#include "metrics/scoring.h"
#include "metrics/significance.h"

namespace tt::metrics {

struct ReportOptions {
  bool json = false;
  bool score_only = false;
  bool short_signature = false;  // in text
  int width = 1;                 // decimals, in text
  bool round_json = false;       // apply width to JSON as well, which otherwise has all digits
  RunFields run;                 // `references` is taken from the scoring
};

// All scores, as lines ending in LF. estimates[metric][system]; empty without resampling. For one system: a line or an object per
// metric (several objects in a list). For more: a table, or a list with an object per system.
std::string score_report(const Metrics& metrics, const std::vector<std::string>& systems, const Scoring& scoring,
                         const std::vector<std::vector<Estimate>>& estimates, const ReportOptions& options);

// The scores of each segment of a block of one system, a line ending in LF for each: numbers separated by tabs, in the order of
// `metrics`, or a JSON object.
std::string sentence_report(const Metrics& metrics, const ScoringBlock& block, const ReportOptions& options);

// Where two systems differ.
std::string compare_report(const Metrics& metrics, const std::vector<std::string>& systems, const Comparison& comparison,
                           const ReportOptions& options);

}  // namespace tt::metrics
