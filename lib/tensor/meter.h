// A backend that wraps another and records calls, seconds, floating-point operations and bytes of
// each kernel.
//
// Memory is the inner backend's. Operations are those of matrix products, including attention's, as
// needed for "percent of peak". A meter belongs to one thread at a time.
#pragma once

#include <array>

#include "tensor/backend.h"

namespace tt {

class Meter : public Backend {
 public:
#define TT_NUMBER(name, Arguments) k##Arguments,
  enum Kernel { TT_KERNELS(TT_NUMBER) kKernels };
#undef TT_NUMBER
  struct Line {
    std::int64_t calls = 0;
    double seconds = 0, flops = 0, bytes = 0;
  };

  explicit Meter(const Backend& inner) : inner_(&inner) {}

  static const char* name(int kernel);
  const std::array<Line, kKernels>& lines() const { return lines_; }
  double flops() const;  // of all kernels
  double seconds() const;
  void add(const Meter& other);
  void reset() { lines_ = {}; }
  // Waits for each kernel, so that seconds are its own where a device computes while the host goes
  // on; they are the host's otherwise.
  void wait_for_each() { waits_ = true; }

  void* allocate(std::size_t bytes) const override { return inner_->allocate(bytes); }
  void release(void* memory) const override { inner_->release(memory); }
  Traits traits() const override { return inner_->traits(); }
  void upload(void* to, const void* from, std::size_t bytes) const override {
    inner_->upload(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) const override {
    inner_->download(to, from, bytes);
  }
  void synchronise() const override { inner_->synchronise(); }
  TT_KERNELS(TT_OVERRIDE)

 private:
  const Backend* inner_;
  bool waits_ = false;
  mutable std::array<Line, kKernels> lines_{};
};

// Says where the time went: the kernels by their seconds, summed over threads, and what the
// program's threads did besides.
void say_profile(const Meter& meter);

}  // namespace tt
