// The backends on which everything above the kernels is tested: the CPU, a device with the CPU's
// kernels, and the kernels of lib/cuda, which run on a GPU if tt was built for one, and otherwise
// on an emulated one.
#pragma once

#include <array>

#include "cpu/cpu.h"
#include "cuda/cuda.h"
#include "tests/catch.h"
#include "tests/protected_backend.h"

namespace tt {

constexpr int kCpu = 0, kProtected = 1, kCuda = 2;

// Runs the calling test case once on each backend.
#define TT_EACH_BACKEND() ::tt::test_backend(GENERATE(::tt::kCpu, ::tt::kProtected, ::tt::kCuda))

inline const Backend& test_backend(int number) {
  static const CpuBackend cpu;
  static const ProtectedBackend device(cpu);
  if (number == kCpu) return cpu;
  if (number == kProtected) return device;
  static const CudaBackend& cuda =
      *new CudaBackend;  // never destroyed: at exit, its libraries may be gone
#if defined(TT_CUDA)
  return cuda;
#else
  static const ProtectedBackend emulated(cuda);
  return emulated;
#endif
}

}  // namespace tt
