// The settings of metrics as options.
#pragma once

#include <vector>

#include "comet/metric.h"
#include "metrics/registry.h"
#include "tools/options.h"

namespace tt {

// Adds the settings of each metric to the group of its name, but the metrics and settings in `but`.
void add_metric_settings(std::vector<Group>& groups, metrics::MetricSettings& settings,
                         const Words& but = {});

// The result of a function whose Error is one of the command line: throws UsageError instead.
auto refused_as_usage(const auto& function) {
  try {
    return function();
  } catch (const SettingError& error) {  // whose settings get the names of their options
    throw UsageError(error);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

// The options that choose the tokenizer of BLEU; empty: not given.
struct TokenizerFlags {
  std::string tokenize, languages;

  // Sets the tokenizer, and returns the language of the translations, which may be empty. Throws
  // Error if there is no such tokenizer or language, or if it does not read the files in `bleu`.
  std::string apply(metrics::BleuOptions& bleu) const;
  // Makes a metric, with this tokenizer if it is BLEU. Throws UsageError if it cannot be made.
  std::unique_ptr<metrics::Metric> make_metric(const std::string& name,
                                               metrics::MetricSettings& settings) const;
};
// -t, -l, --spm-model, --mecab-dictionary
std::vector<Option> tokenizer_options(TokenizerFlags& flags, metrics::BleuOptions& bleu);

// --model, --int8, --device, --precision: of COMET.
std::vector<Option> comet_options(CometChoice& comet);

}  // namespace tt
