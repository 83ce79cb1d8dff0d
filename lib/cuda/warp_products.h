// Products on tensor cores whose factors and sums stay in the registers of a warp: the building
// blocks of attention_warps.cu.
//
// `Format` is InTf32 or InBfloat16. As the order of terms is free, a thread reads four neighbouring
// numbers of a row at once; and the [16, 8] sums of two products are the left factors of the next
// as they lie.
#pragma once

#include <type_traits>

#include "cuda/tensor_cores.h"

namespace tt::gpu {

constexpr int kWarpRows = 16,
              kWarpKeys = 16;  // of a product on the left; on the right, by two products

// Rows of a segment, of one head, of float or Bfloat16. With kWhole they are 32 kParts columns
// wide, else no wider.
template <class T, int kParts, bool kWhole>
struct HeadRows {
  using Fours = std::conditional_t<std::is_same_v<T, float>, Four, FourRounded>;
  const T* at;
  std::int64_t ld;
  int count, width;

  // For a row that does not exist the last one, which there must be: the dot products with it are
  // not used.
  __device__ const T* row(int i) const { return at + (i < count ? i : count - 1) * ld; }
  // The elements of a row `further` on from `at`, which is column `column`; zeros behind a row.
  __device__ Fours four(const T* at, int column, int further) const {
    if constexpr (kWhole) return *reinterpret_cast<const Fours*>(at + further);
    Fours x = {};
    if (column + further < width) x = *reinterpret_cast<const Fours*>(at + further);
    return x;
  }
};

// A thread's part of a row whose columns are the terms of a product: those of 16 t + 4 c.
template <class Fours, int kParts>
struct Terms {
  Fours at[2 * kParts];
};

template <class T, int kParts, bool kWhole>
__device__ auto load_terms(const HeadRows<T, kParts, kWhole>& rows, int i) {
  const int column = 4 * (lane() % 4);
  const T* at = rows.row(i) + column;
  Terms<typename HeadRows<T, kParts, kWhole>::Fours, kParts> x;
  TT_UNROLL
  for (int t = 0; t < 2 * kParts; ++t) x.at[t] = rows.four(at, column, 16 * t);
  return x;
}

// A thread's part as factors.
template <class Format, int kParts>
struct Factors {
  typename Format::Factors at[2 * kParts];
  template <class Fours>
  __device__ explicit Factors(const Terms<Fours, kParts>& x) {
    TT_UNROLL
    for (int t = 0; t < 2 * kParts; ++t) at[t] = Format::of(x.at[t]);
  }
};

// sums [16, 8] += A B^T, of A's rows r and r + 8 and B's row r.
template <class Format, int kParts>
__device__ void add_dots(float (&sums)[4], const Factors<Format, kParts>& upper,
                         const Factors<Format, kParts>& lower, const Factors<Format, kParts>& b) {
  TT_UNROLL
  for (int t = 0; t < 2 * kParts; ++t) Format::multiply(sums, upper.at[t], lower.at[t], b.at[t]);
}

// A thread's part of 16 rows whose columns are those of the result: of rows 2 c, 2 c + 1, 8 + 2 c
// and 9 + 2 c the columns 32 g + 4 r + 0..3. A row that does not exist has zeros, since its weight
// of 0 may not meet an infinity.
template <class Fours, int kParts>
struct Slices {
  Fours at[4][kParts];
};

template <class T, int kParts, bool kWhole>
__device__ auto load_slices(const HeadRows<T, kParts, kWhole>& rows, int first) {
  const int column = 4 * (lane() / 4);
  Slices<typename HeadRows<T, kParts, kWhole>::Fours, kParts> x;
  TT_UNROLL
  for (int i = 0; i < 4; ++i) {
    const int row = first + 8 * (i / 2) + 2 * (lane() % 4) + i % 2;
    const T* at = rows.row(row) + column;
    TT_UNROLL
    for (int g = 0; g < kParts; ++g) {
      x.at[i][g] = {};
      if (row < rows.count) x.at[i][g] = rows.four(at, column, 32 * g);
    }
  }
  return x;
}

// [16, 32 kParts]: what a thread has of rows r and r + 8 is in columns 32 g + 8 c + 0..7.
template <class Format, int kParts>
struct WarpSums {
  float at[4 * kParts][4] = {};

  // += W B, of W [16, 16] as two calls of add_dots() leave it.
  template <class Fours>
  __device__ void add(const float (&w)[2][4], const Slices<Fours, kParts>& b) {
    const auto upper = Format::of(Four{w[0][0], w[0][1], w[1][0], w[1][1]}),
               lower = Format::of(Four{w[0][2], w[0][3], w[1][2], w[1][3]});
    TT_UNROLL
    for (int g = 0; g < kParts; ++g) {
      TT_UNROLL
      for (int e = 0; e < 4; ++e)
        Format::multiply(at[4 * g + e], upper, lower,
                         Format::of(Fours{b.at[0][g].at[e], b.at[1][g].at[e], b.at[2][g].at[e],
                                          b.at[3][g].at[e]}));
    }
  }

  // The upper (0) or lower (1) of the thread's rows.
  __device__ void scale(int half, float factor) {
    TT_UNROLL
    for (int u = 0; u < 4 * kParts; ++u) at[u][2 * half] *= factor, at[u][2 * half + 1] *= factor;
  }
  __device__ void put(int half, float* row, int width, bool accumulate) const {
    TT_UNROLL
    for (int g = 0; g < kParts; ++g) {
      TT_UNROLL
      for (int j = 0; j < 2; ++j) {
        const int column = 32 * g + 8 * (lane() % 4) + 4 * j;
        if (column >= width) continue;
        Four& to = *reinterpret_cast<Four*>(row + column);
        Four x = accumulate ? to : Four{};
        TT_UNROLL
        for (int e = 0; e < 4; ++e) x.at[e] += at[4 * g + e][2 * half + j];
        to = x;
      }
    }
  }
  __device__ void put(int half, Bfloat16* row, int width, bool) const {
    const int column = 8 * (lane() % 4);
    Bfloat16* at_column = row + column;
    TT_UNROLL
    for (int g = 0; g < kParts; ++g) {
      TT_UNROLL
      for (int j = 0; j < 2; ++j) {
        if (column + 32 * g + 4 * j >= width) continue;
        const int first = 2 * half + j;
        const Four x = {at[4 * g][first], at[4 * g + 1][first], at[4 * g + 2][first],
                        at[4 * g + 3][first]};
        *reinterpret_cast<FourRounded*>(at_column + 32 * g + 4 * j) = nearest(x);
      }
    }
  }
};

// Combines x over the four threads that share rows r and r + 8.
template <class Combine>
__device__ float over_four(float x, Combine combine) {
  x = combine(x, shuffle_xor(x, 1));
  return combine(x, shuffle_xor(x, 2));
}

}  // namespace tt::gpu
