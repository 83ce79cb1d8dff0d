// Rows of x in whole numbers of 8 or 16 bits, as products in eight bits take them (tensor/int8.h):
// each has the scale of its largest |x|.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cpu/vec.h"
#include "tensor/int8.h"

namespace tt {

// Where a row of whole numbers goes, and its bias.
template <class Number>
struct Rounded {
  Number* first;      // its first four numbers,
  std::int64_t step;  // from which the next four are so far away
  std::int32_t* bias;
};

// Sets the scale of a row by its largest |x|; returns the factor that makes whole numbers, or 0:
// all shall be zeros.
inline float set_scale(float largest, bool finite, float* scale) {
  const float inverse = 127 / largest;
  *scale = !finite               ? std::numeric_limits<float>::quiet_NaN()
           : std::isinf(inverse) ? 0
                                 : largest / 127;
  return finite && !std::isinf(inverse) ? inverse : 0;
}

template <class Number>
void put_zeros(std::int64_t k, const Rounded<Number>& to) {
  for (std::int64_t g = 0; g < int8_groups(k); ++g)
    std::fill_n(to.first + g * to.step, kInt8Depth, Number{0});
  *to.bias = 0;
}

// The rounding by compiler vectors.
template <class N>
struct In {
  using Number = N;
  using Bytes = std::int8_t __attribute__((vector_size(vec::kWidth)));
  using Shorts = std::int16_t __attribute__((vector_size(2 * vec::kWidth)));
  using Few = std::conditional_t<sizeof(N) == 1, Bytes, Shorts>;

  // The factor that makes whole numbers of a row, of which it sets the scale.
  static float factor_of(std::int64_t k, const float* x, float* scale) {
    using namespace vec;
    Floats top = {}, nothing = {};
    columns(k, [&](std::int64_t c, auto w) {
      const Floats v = load(x + c, w);
      top = max(top, max(v, -v));
      nothing += v * 0.0f;  // not where a value is not finite
    });
    return set_scale(largest(top), sum(nothing) == 0, scale);
  }

  static void round_row(std::int64_t k, const float* x, float factor, const Rounded<N>& to) {
    using namespace vec;
    Ints total = {};
    columns(k, [&](std::int64_t c, auto w) {
      const Ints q = round(load(x + c, w) * factor);
      const auto few = __builtin_convertvector(q, Few);
      N all[kWidth];
      std::memcpy(all, &few, sizeof all);
      for (std::int64_t i = 0; i < kWidth && c + i < k; i += kInt8Depth)
        std::memcpy(to.first + (c + i) / kInt8Depth * to.step, all + i, kInt8Depth * sizeof(N));
      total += q;
    });
    std::int32_t all = 0;
    for (int i = 0; i < kWidth; ++i) all += total[i];
    *to.bias = all * kInt8Zero;
  }
};
using InShorts = In<std::int16_t>;
using InBytes = In<std::int8_t>;

}  // namespace tt
