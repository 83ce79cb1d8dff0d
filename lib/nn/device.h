// Where to compute: the one place that knows which backends there are.
#pragma once

#include <memory>
#include <string>

#include "tensor/backend.h"

namespace tt {

// "cpu", or with CUDA built in "cuda" or "cuda:N" for GPU number N from 0. Throws Error if there is no such device, or it was not built in.
std::unique_ptr<Backend> open_backend(const std::string& name);

// What open_backend() takes, for help and errors: "cpu" or "cpu, cuda[:N]".
std::string device_names();

}  // namespace tt
