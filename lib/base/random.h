// Random numbers without state: Philox4x32-10, a block cipher over counters.
//
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011). The
// same key and counter give the same bits on every machine, for any number of threads, and in any
// order; nothing has to be saved to resume.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace tt {

using PhiloxBlock = std::array<std::uint32_t, 4>;

// Ten rounds of Philox4x32, a pure function of any counter and key.
PhiloxBlock philox(PhiloxBlock counter, std::array<std::uint32_t, 2> key);

// A sequence of random numbers, identified by (seed, stream, substream); different sequences are
// independent.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0, std::uint32_t substream = 0);

  std::uint32_t bits();                  // 32 uniform bits
  std::uint32_t below(std::uint32_t n);  // uniform in [0, n), without bias. Requires n > 0.
  float uniform();                       // uniform in [0, 1), 24 bits
  float normal();                        // standard normal (Box-Muller)

  template <class T>
  void shuffle(std::span<T> items) {  // Fisher-Yates; requires fewer than 2^32
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[below(static_cast<std::uint32_t>(i))]);
  }

 private:
  PhiloxBlock counter_, block_;
  std::array<std::uint32_t, 2> key_;
  int used_ = 4;
  bool have_normal_ = false;
  float normal_ = 0;
};

}  // namespace tt
