// Products in eight bits, as naively as their mathematics reads; see tests/reference.h.
#pragma once

#include <algorithm>
#include <cmath>

#include "tensor/backend.h"

namespace tt::reference {

// The whole number that W[i][j] is, before its scale.
inline std::int32_t int8_weight(const ConstMatrix& w, std::int64_t i, std::int64_t j) {
  const std::int64_t panel = j / 16 * ((w.rows + 3) / 4) * 64;
  return w.as<std::uint8_t>()[panel + i / 4 * 64 + j % 16 * 4 + i % 4] - 128;
}

inline void int8_product(const Int8Product& a) {
  for (std::int64_t r = 0; r < a.y.rows; ++r) {
    const float* x = a.x.floats() + r * a.w.rows;
    float m = 0;
    bool finite = true;
    for (std::int64_t i = 0; i < a.w.rows; ++i)
      m = std::max(m, std::fabs(x[i])), finite = finite && std::isfinite(x[i]);
    for (std::int64_t j = 0; j < a.w.columns; ++j) {
      std::int64_t sum = 0;
      const bool nothing = !finite || std::isinf(127 / m);
      for (std::int64_t i = 0; i < a.w.rows && !nothing; ++i)
        sum += static_cast<std::int64_t>(std::nearbyint(x[i] * (127 / m))) * int8_weight(a.w, i, j);
      const float scale = !finite ? NAN : nothing ? 0 : m / 127;
      a.y.floats()[r * a.w.columns + j] = static_cast<float>(sum) * (scale * a.w.scales[j]);
    }
  }
}

inline void int8_columns(const Int8Columns& a) {
  for (std::int64_t r = 0; r < a.y.rows; ++r)
    for (std::int64_t i = 0; i < a.w.rows; ++i)
      a.y.floats()[r * a.w.rows + i] =
          a.columns[r] < 0
              ? 0
              : static_cast<float>(int8_weight(a.w, i, a.columns[r])) * a.w.scales[a.columns[r]];
}

}  // namespace tt::reference
