// A panel of a matrix: some columns of it, which a product reads one row after the other.
#pragma once

#include <cstdint>
#include <cstring>

#include "cpu/transpose.h"

namespace tt {

// Columns [0, width) of w, or its rows if transposed, to a panel [depth, Width]; padded with zeros.
template <std::int64_t Width>
inline void pack_panel(std::int64_t depth, std::int64_t width, const float* w, std::int64_t ldw,
                       bool transposed, float* panel) {
  if (!transposed && width == Width) {
    for (std::int64_t i = 0; i < depth; ++i)
      std::memcpy(panel + i * Width, w + i * ldw, Width * sizeof(float));
    return;
  }
  std::int64_t i = 0;
  if (Width % vec::kWidth == 0 && transposed && width == Width)
    for (; i + 4 <= depth; i += 4) {
      for (std::int64_t c = 0; i % 16 == 0 && c < Width; ++c)
        __builtin_prefetch(w + (c + Width) * ldw + i);  // the next panel's
      for (std::int64_t c = 0; c < Width; c += vec::kWidth)
        vec::transpose_4(vec::kWidth, w + c * ldw + i, ldw, panel + i * Width + c, Width);
    }
  for (; i < depth; ++i)
    for (std::int64_t c = 0; c < Width; ++c)
      panel[i * Width + c] = c < width ? (transposed ? w[c * ldw + i] : w[i * ldw + c]) : 0;
}

}  // namespace tt
