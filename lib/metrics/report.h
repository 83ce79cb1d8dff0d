// What scores look like: one line per metric with the signature behind its name, a table for several systems, or JSON.
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
  bool round_json = false;       // also in JSON, where all numbers have all digits otherwise
  RunFields run;                 // references is filled from the scoring
};

// All scores, each line with an LF. estimates[metric][system], or empty without resampling. One system: a line or an object for
// each metric (objects in a list if several). More: a table, or a list with an object for each system.
std::string score_report(const Metrics& metrics, const std::vector<std::string>& systems, const Scoring& scoring,
                         const std::vector<std::vector<Estimate>>& estimates, const ReportOptions& options);

// The scores of each segment of a block of one system, a line with an LF for each: numbers between tabs, in the order of
// `metrics`, or an object of JSON.
std::string sentence_report(const Metrics& metrics, const ScoringBlock& block, const ReportOptions& options);

// Where two systems differ.
std::string compare_report(const Metrics& metrics, const std::vector<std::string>& systems, const Comparison& comparison,
                           const ReportOptions& options);

}  // namespace tt::metrics
