// `bench --device cuda`: a GPU's own product rate, and training and translation as a whole in
// percent of it.
#pragma once

#include <string>
#include <vector>

#include "nn/device.h"

namespace tt {

struct DeviceBenchOptions {
  DeviceChoice device;
  double seconds = 60;          // of each measurement
  std::int64_t tokens = 25000;  // per side of an update
  int vocabulary = 32000;
  std::string lengths;  // a file that gets the lengths of the measured sentences, a line for each
                        // update; empty: none
  std::vector<std::string> words;  // only measurements whose name contains one of them; none: all
};

void bench_device(const DeviceBenchOptions& options);

}  // namespace tt
