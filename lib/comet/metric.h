// COMET as a metric beside the others: scores of a model, so that reports, comparison and
// significance are theirs.
#pragma once

#include <memory>
#include <string>

#include "metrics/metric.h"
#include "nn/device.h"

namespace tt {

inline constexpr const char* kCometName = "COMET";  // as reports and lists call it

struct CometChoice {
  std::string model;  // path of its file
  DeviceChoice device;
  bool int8 = false;           // products of eight bits
  bool with_reference = true;  // there are references
};

// Its score is the mean over the segments, which have one reference each. Throws Error as
// CometScorer does.
std::unique_ptr<metrics::Metric> make_comet_metric(const CometChoice& choice);

}  // namespace tt
