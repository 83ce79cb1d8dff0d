// Products on tensor cores whose factors and sums stay in the registers of a warp: the building blocks of attention_warps.cu.
//
// Thread 4 r + c of a warp has, of 16 rows on the left, parts of rows r and r + 8; of eight rows on the right, of row r or of rows
// 2 c and 2 c + 1. An instruction takes eight terms at a time in an order that is free as long as it is the same on both sides,
// so a thread has four neighbouring numbers of a row, read at once; and the [16, 8] sums of one product are the factors of the
// next as they lie.
#pragma once

#include "cuda/tensor_cores.h"
#include "cuda/units.h"

namespace tt::gpu {

constexpr int kWarpRows = 16, kWarpKeys = 8;  // of a product: on the left, on the right

// Columns from `column` on, a multiple of 4, of a row that begins at a multiple of 16 bytes; zeros where there are none.
__device__ inline Four load_four(const float* row, int column, int width, bool here) {
  Four x = {};
  if (here && column < width) x = *reinterpret_cast<const Four*>(row + column);
  return x;
}

__device__ inline Four nearest_tf32(Four x) {
  for (float& number : x.at) number = nearest_tf32(number);
  return x;
}

// What a thread has of a row of at most 32 kParts columns whose columns are the terms of a product: those of 16 t + 4 c.
template <int kParts>
struct Terms {
  Four at[2 * kParts];
};

template <int kParts>
__device__ Terms<kParts> load_terms(const float* row, int width, bool here) {
  Terms<kParts> x;
  TT_UNROLL
  for (int t = 0; t < 2 * kParts; ++t) x.at[t] = load_four(row, 16 * t + 4 * (lane() % 4), width, here);
  return x;
}

template <int kParts>
__device__ Terms<kParts> nearest_tf32(Terms<kParts> x) {
  TT_UNROLL
  for (int t = 0; t < 2 * kParts; ++t) x.at[t] = nearest_tf32(x.at[t]);
  return x;
}

// sums [16, 8] += A B^T, of A's rows r and r + 8 and B's row r. The sums of columns 2 c and 2 c + 1 are 0 and 1 of row r, 2 and 3
// of row r + 8.
template <int kParts>
__device__ void add_dots(float (&sums)[4], const Terms<kParts>& upper, const Terms<kParts>& lower, const Terms<kParts>& b) {
  TT_UNROLL
  for (int t = 0; t < 2 * kParts; ++t) TT_UNROLL
  for (int e = 0; e < 4; e += 2) {
    const float x[4] = {upper.at[t].at[e], lower.at[t].at[e], upper.at[t].at[e + 1], lower.at[t].at[e + 1]};
    const float y[2] = {b.at[t].at[e], b.at[t].at[e + 1]};
    add_product_16x8x8(sums, x, y);
  }
}

// What a thread has of a row whose columns are those of the result: 32 g + 4 r, rounded.
template <int kParts>
struct Slices {
  Four at[kParts];
};

template <int kParts>
__device__ Slices<kParts> load_slices(const float* row, int width, bool here) {
  Slices<kParts> x;
  TT_UNROLL
  for (int g = 0; g < kParts; ++g) x.at[g] = nearest_tf32(load_four(row, 32 * g + 4 * (lane() / 4), width, here));
  return x;
}

// [16, 32 kParts]: what a thread has of rows r and r + 8 is in columns 32 g + 8 c + 0..7.
template <int kParts>
struct WarpSums {
  float at[4 * kParts][4] = {};

  // += W B, of W [16, 8] as add_dots() leaves it, rounded, and rows 2 c and 2 c + 1 of B.
  __device__ void add(const float (&w)[4], const Slices<kParts>& even, const Slices<kParts>& odd) {
    const float x[4] = {w[0], w[2], w[1], w[3]};
    TT_UNROLL
    for (int g = 0; g < kParts; ++g) TT_UNROLL
    for (int e = 0; e < 4; ++e) {
      const float y[2] = {even.at[g].at[e], odd.at[g].at[e]};
      add_product_16x8x8(at[4 * g + e], x, y);
    }
  }

  // The upper (0) or lower (1) of the thread's rows.
  __device__ void scale(int half, float factor) {
    TT_UNROLL
    for (int u = 0; u < 4 * kParts; ++u) at[u][2 * half] *= factor, at[u][2 * half + 1] *= factor;
  }
  __device__ void put(int half, float* row, int width, bool accumulate) const {
    TT_UNROLL
    for (int g = 0; g < kParts; ++g) TT_UNROLL
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
};

// Combines x over the four threads that share rows r and r + 8.
template <class Combine>
__device__ float over_four(float x, Combine combine) {
  x = combine(x, shuffle_xor(x, 1));
  return combine(x, shuffle_xor(x, 2));
}

}  // namespace tt::gpu
