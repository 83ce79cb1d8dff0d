// Choosing a backend: the only place that knows all backends.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/ranks.h"
#include "tensor/backend.h"

namespace tt {

struct DeviceChoice {
  // "cpu", or, if built with CUDA, "cuda:N" for GPU number N, counted from 0, or "cuda", which is N
  // = 0, or, in processes that compute together, their number on this machine.
  std::string name = "cpu";
  // The format to which matrix products round their inputs: one of precisions(), or "auto". Sums
  // and other operations are in float32.
  std::string precision = "float32";
};

// Throws Error if there is no such device, it was not built in, it cannot be used, or it does not
// support this precision, or if ranks were given other kinds of devices or precisions.
std::unique_ptr<Backend> open_backend(const DeviceChoice& choice,
                                      const Ranks& ranks = Ranks::alone());

// The possible names, for help and errors: "cpu" or "cpu, cuda[:N]".
std::string device_names();

// float32, tf32 and bfloat16; a CPU has no tf32.
const std::vector<std::string>& precisions();
// The precision of a choice; of "auto" bfloat16 on a GPU, and on a processor that has instructions
// by which it is faster than float32, else float32.
std::string precision_of(const DeviceChoice& choice);
// A name for the order and the rounding in which products of a choice sum: choices of the same
// precision and the same name give the same bits. Empty of a GPU.
std::string summation_of(const DeviceChoice& choice);

}  // namespace tt
