// The random numbers with which sacreBLEU resamples, so that confidence intervals and p-values
// agree, and not only in distribution: PCG XSL-RR 128/64 (O'Neill, 2014), seeded by hashing the
// seed over a pool of four words, as in NumPy's default_rng(seed).
//
// There is a single stream, which only one thread draws from, so results are the same for any
// number of threads.
#pragma once

#include <cstdint>

namespace tt::metrics {

class Pcg64 {
 public:
  explicit Pcg64(std::uint64_t seed);

  std::uint32_t bits();                  // 32 uniform bits
  std::uint32_t below(std::uint32_t n);  // uniform in [0, n), without bias (Lemire). Requires n >
                                         // 0. Draws nothing for n = 1.
  bool coin();                           // one bit; 32 coins are the bits of one draw

 private:
  void step();

  unsigned __int128 state_ = 0, increment_ = 0;
  std::uint32_t kept_ = 0, coins_ = 0;
  bool have_kept_ = false;
  int coins_left_ = 0;
};

}  // namespace tt::metrics
