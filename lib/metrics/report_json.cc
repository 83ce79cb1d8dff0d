#include "metrics/report_json.h"

#include <algorithm>

namespace tt::metrics {

namespace {

// A component of a score.
Json part(double value, const ReportOptions& options) {
  value = rounded(value, options);
  // Counts read better without ".0"; both are the same number in JSON.
  if (value == static_cast<double>(static_cast<std::int64_t>(value)))
    return static_cast<std::int64_t>(value);
  return value;
}

// P-values have four decimals in text, and at least four in rounded JSON.
double rounded_p_value(double value, const ReportOptions& options) {
  return options.width ? std::stod(fixed(value, std::max(*options.width, kProbabilityWidth)))
                       : value;
}

}  // namespace

double rounded(double value, const ReportOptions& options) {
  return options.width ? std::stod(fixed(value, *options.width)) : value;
}

void add_details(Json& json, const Metric& metric, const Totals& totals,
                 const ReportOptions& options) {
  for (const auto& [key, value] : metric.details(totals)) {
    if (const auto* one = std::get_if<double>(&value)) {
      json[key] = part(*one, options);
    } else {
      json[key] = Json::array();
      for (const double each : std::get<std::vector<double>>(value))
        json[key].push_back(part(each, options));
    }
  }
}

Json score_json(const Metric& metric, const Totals& totals, const Estimate& estimate,
                const ReportOptions& options) {
  Json json;
  json["name"] = metric.name();
  json["score"] = rounded(metric.score(totals), options);
  json["signature"] = signature(metric, options.run);
  if (!metric.comparable()) json["comparable"] = false;
  if (estimate.mean) {
    json["confidence_mean"] = rounded(*estimate.mean, options);
    json["confidence_var"] = rounded(*estimate.interval, options);
    json["confidence"] = "μ = " + interval_text(estimate, options.decimals(metric));
  }
  if (estimate.p_value) {
    json["p_value"] = rounded_p_value(*estimate.p_value, options);
    if (estimate.exact_p_value)
      json["exact_p_value"] = rounded_p_value(*estimate.exact_p_value, options);
    json["significant"] = estimate.significant;
    json["differing_segments"] = estimate.differing;
  }
  if (const std::string verbose = metric.verbose(totals); !verbose.empty())
    json["verbose_score"] = verbose;
  for (const auto& [key, value] : signature_fields(metric, options.run)) json[key] = value;
  add_details(json, metric, totals, options);
  return json;
}

std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tt::metrics
