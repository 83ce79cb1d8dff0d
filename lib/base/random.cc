#include "base/random.h"

#include <cmath>

namespace tt {

PhiloxBlock philox(PhiloxBlock c, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53} * c[0],
                        p1 = std::uint64_t{0xCD9E8D57} * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ key[0], static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return c;
}

// The counter is (position, substream, stream); the key is the seed.
Random::Random(std::uint64_t seed, std::uint64_t stream, std::uint32_t substream)
    : counter_{0, substream, static_cast<std::uint32_t>(stream),
               static_cast<std::uint32_t>(stream >> 32)},
      block_{}, key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)} {}

std::uint32_t Random::bits() {
  if (used_ == 4) {
    block_ = philox(counter_, key_);
    ++counter_[0];
    used_ = 0;
  }
  return block_[used_++];
}

// Lemire's method: the high word of bits * n, rejecting the few values that would favour small
// numbers.
std::uint32_t Random::below(std::uint32_t n) {
  const std::uint32_t reject = -n % n;
  for (;;) {
    const std::uint64_t product = std::uint64_t{bits()} * n;
    if (static_cast<std::uint32_t>(product) >= reject)
      return static_cast<std::uint32_t>(product >> 32);
  }
}

float Random::uniform() { return static_cast<float>(bits() >> 8) * 0x1p-24f; }

float Random::normal() {
  if (have_normal_) {
    have_normal_ = false;
    return normal_;
  }
  const float radius = std::sqrt(-2 * std::log(1 - uniform())), angle = 6.28318530718f * uniform();
  have_normal_ = true;
  normal_ = radius * std::sin(angle);
  return radius * std::cos(angle);
}

}  // namespace tt
