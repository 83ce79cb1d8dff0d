// Requests of tests to the emulated GPU: to be small, and to fail.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tt {

struct EmulatedGpu {
  std::size_t memory = std::size_t{1} << 40;  // bytes, of a device that is opened from now on
  std::atomic<std::int64_t> launches{-1};     // kernels that it can still run; negative: any number
  std::atomic<bool> adds_bias{true};          // whether products can add one
};
EmulatedGpu& emulated_gpu();

}  // namespace tt
