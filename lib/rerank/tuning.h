// A development set: lists of candidates, and the references of their lines.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "metrics/spacing.h"
#include "rerank/list_source.h"
#include "rerank/mert.h"

namespace tt::rerank {

struct DevelopmentSet {
  TuningSet candidates;
  bool degraded = false;     // something of the references, which has been said
  metrics::Spacing spacing;  // of the references
};

// Reads all lists, whose source is `references[0]`. `names` are the features; if there are none, it
// becomes those of the first candidate. A candidate without a score is left out; where no other
// remains, the first has 0 for each feature, or an empty text stands for the line. Throws Error as
// ListSource does, if references differ in length, or if there are no lines or no features.
DevelopmentSet read_development_set(ListSource& lists, const std::vector<std::string>& references,
                                    std::unique_ptr<metrics::Metric> metric,
                                    std::vector<std::string>& names);

}  // namespace tt::rerank
