// The settings of metrics as options.
#pragma once

#include <vector>

#include "metrics/registry.h"
#include "tools/options.h"

namespace tt {

// Adds the settings of each metric to the group of its name, but the metrics and settings in `but`.
void add_metric_settings(std::vector<Group>& groups, metrics::MetricSettings& settings,
                         const Words& but = {});

}  // namespace tt
