#include "metrics/registry.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"

namespace tt::metrics {

namespace {

struct Kind {
  const char* name;
  std::unique_ptr<Metric> (*make)(const MetricSettings& settings);
};

std::unique_ptr<Metric> chrf_plus_plus(const MetricSettings& settings) {
  ChrfOptions options = settings.chrf;
  options.word_order = 2;
  return std::make_unique<Chrf>(options);
}

template <class Made, auto options>
std::unique_ptr<Metric> made(const MetricSettings& settings) {
  return std::make_unique<Made>(settings.*options);
}

constexpr Kind kKinds[] = {{"bleu", made<Bleu, &MetricSettings::bleu>},
                           {"chrf", made<Chrf, &MetricSettings::chrf>},
                           {"chrf++", chrf_plus_plus},
                           {"ter", made<Ter, &MetricSettings::ter>}};

}  // namespace

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

Metrics make_metrics(const std::vector<std::string>& names, const MetricSettings& settings) {
  Metrics metrics;
  for (const std::string& name : names) {
    if (name == "comet" && settings.comet) {
      metrics.push_back(settings.comet());
      continue;
    }
    const auto* kind =
        std::ranges::find_if(kKinds, [&](const Kind& each) { return each.name == name; });
    if (kind == std::end(kKinds)) throw Error("there is no metric ", in_quotes(name));
    metrics.push_back(kind->make(settings));
  }
  return metrics;
}

std::vector<MetricSetting> list_settings(MetricSettings& settings) {
  auto& [bleu, chrf, ter, comet] = settings;
  return {
      {"BLEU", "max-order", &bleu.max_order, "longest n-gram of BLEU", 1, 64},
      {"BLEU", "effective-order", &bleu.effective_order,
       "BLEU without orders for which a translation is too short"},
      {"BLEU", "lowercase", &bleu.lowercase, "lower-case for BLEU"},
      {"chrF", "char-order", &chrf.char_order, "longest character n-gram of chrF", 0, 64},
      {"chrF", "word-order", &chrf.word_order, "longest word n-gram of chrF", 0, 64},
      {"chrF", "beta", &chrf.beta, "weight of recall in chrF", 0, 1e6},
      {"chrF", "chrf-lowercase", &chrf.lowercase, "lower-case for chrF"},
      {"chrF", "whitespace", &chrf.whitespace, "count white space in chrF's character n-grams"},
      {"chrF", "eps-smoothing", &chrf.eps_smoothing,
       "chrF counts orders without n-grams as nearly 0"},
      {"TER", "ter-normalized", &ter.normalized,
       "TER undoes XML escapes and separates punctuation"},
      {"TER", "ter-no-punct", &ter.no_punct, "TER without punctuation"},
      {"TER", "ter-asian", &ter.asian_support,
       "apply the two options above to Chinese and Japanese too"},
      {"TER", "ter-case-sensitive", &ter.case_sensitive, "case-sensitive TER"},
  };
}

}  // namespace tt::metrics
