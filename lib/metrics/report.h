// Formatting of scores: one line per metric with its signature, a table for several systems or
// groups, or JSON.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metrics/compare.h"
#include "metrics/scoring.h"
#include "metrics/significance.h"

namespace tt::metrics {

inline constexpr int kProbabilityWidth = 4;  // decimals of p-values in text

enum class Format { kText, kJson, kSacrebleuJson, kMarkdown, kLatex, kTsv };

// "text", "md", "latex", "tsv", or "json" for sacreBLEU's. Throws Error if there is no such format.
Format format_named(const std::string& name);

struct ReportOptions {
  Format format = Format::kText;
  bool score_only = false;       // in text
  bool short_signature = false;  // except in JSON
  // Decimals; none: those of the metric, and in JSON all digits.
  std::optional<int> width;
  RunFields run;

  int decimals(const Metric& metric) const { return width.value_or(metric.decimals()); }
  bool is_json() const { return format == Format::kJson || format == Format::kSacrebleuJson; }
};

// Scores over all segments, or over those of a group, with estimates[metric][system], empty without
// resampling.
struct Result {
  std::string group;
  Scoring scoring;
  std::vector<std::vector<Estimate>> estimates;
};

// All scores, as lines ending in LF. The last of `results` is over all segments, those before are
// over groups. Text: a line for each metric if there is one system and no group; otherwise, and in
// Markdown, LaTeX (booktabs) and TSV, a table with a row for each group and system. JSON: a list
// with an object for each system, in which there is one for each metric, and a list of groups, if
// any. sacreBLEU's JSON of one system without groups: an object for each metric, in a list if there
// are several.
std::string score_report(const Metrics& metrics, const std::vector<std::string>& systems,
                         std::span<const Result> results, const ReportOptions& options);

// The scores of each segment of a block, a line ending in LF for each. Text: numbers separated by
// tabs, those of the first system in the order of `metrics`, then those of the second ... JSON: an
// object with the number of the segment and a list with an object for each system; sacreBLEU's JSON
// of one system: with the metrics themselves.
std::string sentence_report(const Metrics& metrics, const std::vector<std::string>& systems,
                            const ScoringBlock& block, const ReportOptions& options);

// The differences of two systems, as text or JSON.
std::string compare_report(const Metrics& metrics, const std::vector<std::string>& systems,
                           const Comparison& comparison, const ReportOptions& options);

// "31.2 ± 1.2". Requires an interval.
std::string interval_text(const Estimate& estimate, int width);

}  // namespace tt::metrics
