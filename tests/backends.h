// The backends on which everything above the kernels is tested.
#pragma once

#include <array>

#include "cpu/cpu.h"
#include "tests/catch.h"
#include "tests/protected_backend.h"

namespace tt {

// Runs the test case that calls it once on each backend.
#define TT_EACH_BACKEND() ::tt::test_backend(GENERATE(0, 1))

inline const Backend& test_backend(int number) {
  static const CpuBackend cpu;
  static const ProtectedBackend device(cpu);
  static const std::array<const Backend*, 2> all = {&cpu, &device};
  return *all[static_cast<std::size_t>(number)];
}

}  // namespace tt
