// Choosing a backend: the only place that knows all backends.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tensor/backend.h"

namespace tt {

struct DeviceChoice {
  // "cpu", or, if built with CUDA, "cuda" or "cuda:N" for GPU number N, counted from 0.
  std::string name = "cpu";
  // The format to which matrix products round their inputs: one of precisions(). Sums and other operations are always float32.
  std::string precision = "float32";
};

// Throws Error if there is no such device, it was not built in, it cannot be used, or it does not support this precision.
std::unique_ptr<Backend> open_backend(const DeviceChoice& choice);

// The possible names, for help and errors: "cpu" or "cpu, cuda[:N]".
std::string device_names();

// float32, tf32 and bfloat16; a CPU has only the first.
const std::vector<std::string>& precisions();

}  // namespace tt
