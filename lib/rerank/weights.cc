#include "rerank/weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/formatted.h"
#include "base/line_reader.h"

namespace tt::rerank {

Weights read_weights(const std::string& path) {
  Weights weights;
  LineReader in(path);
  for (std::string_view line; in.next(line);) {
    if (line.find_first_not_of(" \t\r") == line.npos || line.starts_with('#')) continue;
    std::vector<Feature> features;
    if (!read_features(line, features) || features.empty())
      throw Error(in.where(), ": ", in_quotes(line), " is no weight, as \"LogProb= 0.5\"");
    for (const Feature& feature : features) {
      if (std::isnan(feature.value))
        throw Error(in.where(), ": the weight of ", in_quotes(feature.name), " is no number");
      if (std::ranges::find(weights.names, feature.name) != weights.names.end())
        throw Error(in.where(), ": ", in_quotes(feature.name), " has a weight already");
      weights.names.push_back(feature.name);
      weights.values.push_back(feature.value);
    }
  }
  if (weights.names.empty()) throw Error(in.name(), ": has no weights, as \"LogProb= 0.5\"");
  return weights;
}

std::string write_weights(const Weights& weights) {
  std::string text;
  for (std::size_t i = 0; i < weights.names.size(); ++i) {
    // Behind a space # begins a name, and no comment.
    if (weights.names[i].starts_with('#')) text += ' ';
    text += weights.names[i] + formatted("= %.9g\n", weights.values[i] + 0.0);
  }
  return text;
}

bool is_weight_name(const std::string& name) {
  std::vector<Feature> features;
  return read_features(name + "= 1", features) && features.size() == 1 &&
         features[0].name == name && name.find('\n') == name.npos;
}

double feature_of(const std::vector<Feature>& features, const std::string& name) {
  for (const Feature& feature : features)
    if (feature.name == name) return feature.value;
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> features_of(const Candidate& candidate, const std::vector<std::string>& names,
                                const ListProblem& problem) {
  std::vector<double> values;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(candidate.features, name, &Feature::name);
    double value = 0;
    const bool reported = found != candidate.features.end() && found->reported;
    if (found != candidate.features.end()) value = found->value;
    else if (std::ranges::count(candidate.others, name))
      value = std::numeric_limits<double>::quiet_NaN();
    else problem("lacks the feature " + in_quotes(name) + "; it counts as 0", candidate.line);
    if (std::isnan(value) && !reported)
      problem("its feature " + in_quotes(name) + " is no number; it has no score", candidate.line);
    values.push_back(value);
  }
  return values;
}

}  // namespace tt::rerank
