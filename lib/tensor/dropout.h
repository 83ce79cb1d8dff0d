// Dropout as a function of numbers, which every backend computes alike and none stores.
#pragma once

#include <cstdint>

namespace tt {

// Which elements are dropped (section 5.4), as a pure function: element i of the site is dropped
// when its 16 random bits are below rate * 65536, rounded to the nearest integer. Kept elements are
// divided by (1 - rate). Nothing is stored; the backward pass evaluates the same function again.
// Column c of row r of a matrix with d columns is element r ceil64(d) + c, where ceil64 rounds up
// to a multiple of 64.
//   bits(i): group g = i / 64, lane l = i % 8, part h = i % 64 / 8; half (h % 2; 0 is the low one)
//   of word h / 2 of philox(counter {low(8 g + l), site + 65536 high(8 g + l), update, shard}, key
//   seed), low and high the 32-bit halves of a 64-bit number.
// Numbers are used once while site < 65536, or no site has 2^35 elements.
struct Dropout {
  float rate = 0;  // 0: off
  std::uint64_t seed = 0;
  std::uint32_t update = 0, shard = 0, site = 0;
};

}  // namespace tt
