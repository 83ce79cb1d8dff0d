// bfloat16: the upper half of a float32, which tensor cores multiply.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "tensor/matrix.h"

namespace tt {

// The nearest, of two as near the even one; a NaN stays one.
inline Bfloat16 nearest_bfloat16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return static_cast<Bfloat16>(std::isnan(x) ? 0x7FC0 : (bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

inline float widen(Bfloat16 x) { return std::bit_cast<float>(std::uint32_t{x} << 16); }

}  // namespace tt
