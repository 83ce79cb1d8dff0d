// Products on tensor cores, by the threads of a warp together; and the same mathematics where there
// are none (a GPU before 2020, the emulated one).
//
// Thread 4 r + c of a warp has the factors [16, 16] and [16, 8] of a product by fours: on the left
// terms 4 c to 4 c + 3 of rows r and r + 8, on the right those of column r. An instruction takes
// its terms in an order of its own, but the same on both sides. Of the sums [16, 8] it has columns
// 2 c and 2 c + 1: numbers 0 and 1 are of row r, 2 and 3 of row r + 8.
#pragma once

#include "cuda/spans.h"

namespace tt::gpu {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

// The nearest number with ten bits behind its first, as tensor cores take them; away from zero if
// two are.
__device__ inline float nearest_tf32(float x) {
  std::uint32_t bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return __uint_as_float(bits);
}

// Factors rounded to tf32.
struct InTf32 {
  using Factors = Four;
  static __device__ Factors of(Four x) {
    TT_UNROLL
    for (int e = 0; e < 4; ++e) x.at[e] = nearest_tf32(x.at[e]);
    return x;
  }
  static __device__ void multiply(float (&sums)[4], const Factors& upper, const Factors& lower,
                                  const Factors& right) {
    TT_UNROLL
    for (int e = 0; e < 4; e += 2)
      asm volatile(
          "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
          "{%8, %9}, {%0, %1, %2, %3};"
          : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
          : "r"(__float_as_uint(upper.at[e])), "r"(__float_as_uint(lower.at[e])),
            "r"(__float_as_uint(upper.at[e + 1])), "r"(__float_as_uint(lower.at[e + 1])),
            "r"(__float_as_uint(right.at[e])), "r"(__float_as_uint(right.at[e + 1])));
  }
};

// Factors rounded to bfloat16, two in a register.
struct InBfloat16 {
  struct Factors {
    std::uint32_t at[2];
  };
  static __device__ Factors of(const Four& x) {
    Factors y;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y.at[0]) : "f"(x.at[1]), "f"(x.at[0]));
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y.at[1]) : "f"(x.at[3]), "f"(x.at[2]));
    return y;
  }
  static __device__ Factors of(const FourRounded& x) {
    return {{x.at[0] | std::uint32_t{x.at[1]} << 16, x.at[2] | std::uint32_t{x.at[3]} << 16}};
  }
  static __device__ void multiply(float (&sums)[4], const Factors& upper, const Factors& lower,
                                  const Factors& right) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(upper.at[0]), "r"(lower.at[0]), "r"(upper.at[1]), "r"(lower.at[1]), "r"(right.at[0]),
          "r"(right.at[1]));
  }
};

#else

__device__ inline float nearest_tf32(float x) {
  std::uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  if ((bits & 0x7F800000) != 0x7F800000)
    bits = (bits + 0x1000) & 0xFFFFE000;  // a NaN stays, and infinity
  memcpy(&x, &bits, sizeof x);
  return x;
}

TT_CALLED __device__ inline void add_products_by_shuffles(float (&sums)[4], const Four& upper,
                                                          const Four& lower, const Four& right) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp, r = lane / 4, c = lane % 4;
  float mine[12];
  for (int e = 0; e < 4; ++e)
    mine[e] = upper.at[e], mine[4 + e] = lower.at[e], mine[8 + e] = right.at[e];
  const OfWarp<12> of(mine);
  for (int e = 0; e < 4; ++e)
    for (int other = 0; other < 4; ++other) {
      const float x = of(4 * r + other, e), y = of(4 * r + other, 4 + e);
      for (int j = 0; j < 2; ++j) {
        const float z = of(4 * (2 * c + j) + other, 8 + e);
        sums[j] = fmaf(x, z, sums[j]);
        sums[2 + j] = fmaf(y, z, sums[2 + j]);
      }
    }
}

struct InTf32 {
  using Factors = Four;
  static __device__ Factors of(Four x) {
    for (float& number : x.at) number = nearest_tf32(number);
    return x;
  }
  static __device__ void multiply(float (&sums)[4], const Factors& upper, const Factors& lower,
                                  const Factors& right) {
    add_products_by_shuffles(sums, upper, lower, right);
  }
};

struct InBfloat16 {
  using Factors = Four;
  static __device__ Factors of(Four x) {
    for (float& number : x.at) number = widen(nearest(number));
    return x;
  }
  static __device__ Factors of(const FourRounded& x) { return widen(x); }
  static __device__ void multiply(float (&sums)[4], const Factors& upper, const Factors& lower,
                                  const Factors& right) {
    add_products_by_shuffles(sums, upper, lower, right);
  }
};

#endif

}  // namespace tt::gpu
