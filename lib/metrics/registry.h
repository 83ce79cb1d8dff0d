// The metrics by name, with their settings: the one list from which options, help and what is
// scored derive.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/scoring.h"
#include "metrics/ter.h"

namespace tt::metrics {

// The settings of all metrics.
struct MetricSettings {
  BleuOptions bleu;
  ChrfOptions chrf;  // chrf++ takes word order 2 instead
  TerOptions ter;
  // Makes the metric of a model, which computes in rooms behind this one; there may be none.
  std::function<std::unique_ptr<Metric>()> comet = {};
};

// "bleu", "chrf", "chrf++", "ter": those that need no model; "comet" needs one.
std::vector<std::string> metric_names();

// One metric for each name. Throws Error if a name is unknown, or if a setting is wrong.
Metrics make_metrics(const std::vector<std::string>& names, const MetricSettings& settings);

// A setting that a user may choose.
struct MetricSetting {
  const char *metric, *name;  // "chrF", "char-order"
  std::variant<bool*, int*, double*> target;
  const char* help;
  double least = 0, most = 0;  // of a number
};

// All settings but those that name a tokenizer, its files or a smoothing. The targets are in
// `settings`.
std::vector<MetricSetting> list_settings(MetricSettings& settings);

}  // namespace tt::metrics
