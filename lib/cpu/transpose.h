// The transpose of a block of a matrix.
#pragma once

#include <cstring>

#include "cpu/vec.h"

namespace tt::vec {

// to [4, kWidth] = from [rows, 4] transposed: four numbers of a row are a part of a vector, beside
// those of rows that are four apart. Zeros where rows are missing.
inline void transpose_4(std::int64_t rows, const float* from, std::int64_t ld, float* to,
                        std::int64_t ldt) {
  Floats r[4], s[4];
  for (int i = 0; i < 4; ++i) {
    F4 parts[kWidth / 4] = {};
    for (int part = 0; part < kWidth / 4; ++part)
      if (i + 4 * part < rows)
        std::memcpy(&parts[part], from + (i + 4 * part) * ld, sizeof parts[part]);
    const F8 first = __builtin_shufflevector(parts[0], parts[1], 0, 1, 2, 3, 4, 5, 6, 7);
#if defined(__AVX512F__)
    const F8 second = __builtin_shufflevector(parts[2], parts[3], 0, 1, 2, 3, 4, 5, 6, 7);
    r[i] = __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                                   15);
#else
    r[i] = first;
#endif
  }
#if defined(__AVX512F__)
#define TT_QUARTERS(a, b, c, d) \
  a, b, c, d, a + 4, b + 4, c + 4, d + 4, a + 8, b + 8, c + 8, d + 8, a + 12, b + 12, c + 12, d + 12
#else
#define TT_QUARTERS(a, b, c, d) a, b, c, d, a + 4, b + 4, c + 4, d + 4
#endif
  constexpr int w = kWidth;  // the first of the second vector
  for (int i = 0; i < 4; i += 2) {
    s[i] = __builtin_shufflevector(r[i], r[i + 1], TT_QUARTERS(0, w, 1, w + 1));
    s[i + 1] = __builtin_shufflevector(r[i], r[i + 1], TT_QUARTERS(2, w + 2, 3, w + 3));
  }
  for (int i = 0; i < 2; ++i) {
    store(to + 2 * i * ldt, __builtin_shufflevector(s[i], s[i + 2], TT_QUARTERS(0, 1, w, w + 1)));
    store(to + (2 * i + 1) * ldt,
          __builtin_shufflevector(s[i], s[i + 2], TT_QUARTERS(2, 3, w + 2, w + 3)));
  }
#undef TT_QUARTERS
}

}  // namespace tt::vec
