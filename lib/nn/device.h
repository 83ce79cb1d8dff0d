// Where to compute: the one place that knows which backends there are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tensor/backend.h"

namespace tt {

struct DeviceChoice {
  // "cpu", or with CUDA built in "cuda" or "cuda:N" for GPU number N from 0.
  std::string name = "cpu";
  // What products round their inputs to: one of precisions(). Sums, and all that is no product, are float32 always.
  std::string precision = "float32";
};

// Throws Error if there is no such device, it was not built in, it cannot be used, or it has not this precision.
std::unique_ptr<Backend> open_backend(const DeviceChoice& choice);

// What a name may be, for help and errors: "cpu" or "cpu, cuda[:N]".
std::string device_names();

// float32, tf32 and bfloat16; a CPU has the first alone.
const std::vector<std::string>& precisions();

}  // namespace tt
