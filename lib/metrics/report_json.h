// Scores as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "metrics/report.h"

namespace tt::metrics {

using Json = nlohmann::ordered_json;

// `value`, rounded as `options` ask.
double rounded(double value, const ReportOptions& options);

// A score with its signature, its fields and its parts: what sacreBLEU prints for one system and
// one metric.
Json score_json(const Metric& metric, const Totals& totals, const Estimate& estimate,
                const ReportOptions& options);

// Adds the parts of a score.
void add_details(Json& json, const Metric& metric, const Totals& totals,
                 const ReportOptions& options);

// The text, with an LF at its end; in one line if `indent` is negative.
std::string dump(const Json& json, int indent);

}  // namespace tt::metrics
