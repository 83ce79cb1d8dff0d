// Holds a fuzz target to memory in proportion to its input: what is allocated beyond that is a bug,
// as a crash is. To be included once in a target, since it replaces the program's operators.
#pragma once

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "base/error.h"

namespace tt {

// The bytes that the program has allocated, and the most since it was reset.
struct Allocated {
  inline static std::atomic<std::size_t> now = 0, most = 0;
};

// Throws nothing, but ends the program where more than `times` the input and a fixed amount was
// allocated in its lifetime.
class AllocationLimit {
 public:
  AllocationLimit(std::size_t input, std::size_t times)
      : before_(Allocated::now), limit_(input * times + kFixed) {
    Allocated::most = before_;
  }
  ~AllocationLimit() { TT_CHECK(Allocated::most <= before_ + limit_); }
  AllocationLimit(const AllocationLimit&) = delete;
  AllocationLimit& operator=(const AllocationLimit&) = delete;

 private:
  static constexpr std::size_t kFixed = 1
                                        << 20;  // what an empty input needs, and most_from() allows
  std::size_t before_, limit_;
};

}  // namespace tt

void* operator new(std::size_t size) {
  void* const at = std::malloc(size);
  if (!at) throw std::bad_alloc();
  const std::size_t now = tt::Allocated::now += ::malloc_usable_size(at);
  if (now > tt::Allocated::most) tt::Allocated::most = now;
  return at;
}

void operator delete(void* at) noexcept {
  if (at) tt::Allocated::now -= ::malloc_usable_size(at);
  std::free(at);
}

void operator delete(void* at, std::size_t) noexcept { operator delete(at); }
