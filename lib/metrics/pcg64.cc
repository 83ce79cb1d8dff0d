#include "metrics/pcg64.h"

#include <array>
#include <bit>

namespace tt::metrics {

namespace {

using U128 = unsigned __int128;

constexpr U128 wide(std::uint64_t high, std::uint64_t low) {
  return static_cast<U128>(high) << 64 | low;
}
constexpr U128 kMultiplier = wide(0x2360ED051FC65DA4u, 0x4385DF649FCCF645u);

// Four 64-bit words of state from a seed: a multiplicative hash whose multiplier changes with every
// use.
std::array<std::uint64_t, 4> spread(std::uint64_t seed) {
  std::uint32_t hash = 0x43B0D7E5u;
  const auto scramble = [&hash](std::uint32_t value) {
    value ^= hash;
    hash *= 0x931E8875u;
    value *= hash;
    return value ^ (value >> 16);
  };
  std::array<std::uint32_t, 4> pool{};
  for (int i = 0; i < 4; ++i)
    pool[i] = scramble(i < 2 ? static_cast<std::uint32_t>(seed >> (32 * i)) : 0);
  for (int from = 0; from < 4; ++from) {
    for (int to = 0; to < 4; ++to) {
      if (from == to) continue;
      const std::uint32_t mixed = 0xCA01F9DDu * pool[to] - 0x4973F715u * scramble(pool[from]);
      pool[to] = mixed ^ (mixed >> 16);
    }
  }
  hash = 0x8B51F9DDu;
  std::array<std::uint64_t, 4> words{};
  for (int i = 0; i < 8; ++i) {
    std::uint32_t value = pool[i % 4] ^ hash;
    hash *= 0x58F38DEDu;
    value *= hash;
    value ^= value >> 16;
    words[i / 2] |= static_cast<std::uint64_t>(value) << (32 * (i % 2));
  }
  return words;
}

}  // namespace

Pcg64::Pcg64(std::uint64_t seed) {
  const auto words = spread(seed);
  increment_ = wide(words[2], words[3]) << 1 | 1;
  step();
  state_ += wide(words[0], words[1]);
  step();
}

void Pcg64::step() { state_ = state_ * kMultiplier + increment_; }

std::uint32_t Pcg64::bits() {
  if (have_kept_) {
    have_kept_ = false;
    return kept_;
  }
  step();
  const auto high = static_cast<std::uint64_t>(state_ >> 64),
             low = static_cast<std::uint64_t>(state_);
  const std::uint64_t word = std::rotr(high ^ low, static_cast<int>(high >> 58));
  kept_ = static_cast<std::uint32_t>(word >> 32);
  have_kept_ = true;
  return static_cast<std::uint32_t>(word);
}

std::uint32_t Pcg64::below(std::uint32_t n) {
  if (n == 1) return 0;
  std::uint64_t product = static_cast<std::uint64_t>(bits()) * n;
  if (static_cast<std::uint32_t>(product) < n) {
    const std::uint32_t threshold = (0u - n) % n;
    while (static_cast<std::uint32_t>(product) < threshold)
      product = static_cast<std::uint64_t>(bits()) * n;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

bool Pcg64::coin() {
  if (coins_left_ == 0) {
    coins_ = bits();
    coins_left_ = 32;
  }
  const bool head = coins_ & 1;
  coins_ >>= 1, --coins_left_;
  return head;
}

}  // namespace tt::metrics
