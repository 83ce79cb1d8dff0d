// A backend that wraps another and records calls, seconds, floating-point operations and bytes of
// each kernel.
//
// Memory is the inner backend's. Operations are those of matrix products, including attention's, as
// needed for "percent of peak". A meter belongs to one thread at a time.
#pragma once

#include <array>

#include "tensor/wrapper.h"

namespace tt {

class Meter : public BackendWrapper {
 public:
#define TT_NUMBER(name, Arguments) k##Arguments,
  enum Kernel { TT_KERNELS(TT_NUMBER) kKernels };
#undef TT_NUMBER
  struct Line {
    std::int64_t calls = 0;
    double seconds = 0, flops = 0, bytes = 0;
  };

  explicit Meter(const Backend& inner) : BackendWrapper(inner) {}

  static const char* name(int kernel);
  const std::array<Line, kKernels>& lines() const { return lines_; }
  double flops() const;  // of all kernels
  double seconds() const;
  void add(const Meter& other);
  void reset() { lines_ = {}; }
  // Waits for each kernel, so that seconds are its own where a device computes while the host goes
  // on; they are the host's otherwise.
  void wait_for_each() { waits_ = true; }

  TT_KERNELS(TT_OVERRIDE)

 private:
  bool waits_ = false;
  mutable std::array<Line, kKernels> lines_{};
};

// Says where the time went: the kernels by their seconds, summed over threads, and what the
// program's threads did besides.
void say_profile(const Meter& meter);

}  // namespace tt
