// Products on tensor cores, by the threads of a warp together; and the same mathematics where there are none (a GPU before 2020,
// the emulated one).
#pragma once

#include "cuda/gpu.h"

namespace tt::gpu {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

// The nearest number with ten bits behind its first, as tensor cores take them; away from zero if two are.
__device__ inline float nearest_tf32(float x) {
  std::uint32_t bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return __uint_as_float(bits);
}

// D += A B, where D is [16, 8], A [16, 8] and B [8, 8]; A and B are rounded already. With l = 4 r + c, thread l of the warp has
// A(r + 8 i, c + 4 j) in a[i + 2 j], B(c + 4 j, r) in b[j], and D(r + 8 i, 2 c + j) in d[2 i + j].
__device__ inline void add_product_16x8x8(float (&d)[4], const float (&a)[4], const float (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])), "r"(__float_as_uint(a[3])),
        "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
}

#else

__device__ inline float nearest_tf32(float x) {
  std::uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  if ((bits & 0x7F800000) != 0x7F800000) bits = (bits + 0x1000) & 0xFFFFE000;  // a NaN stays, and infinity
  memcpy(&x, &bits, sizeof x);
  return x;
}

__device__ inline void add_product_16x8x8(float (&d)[4], const float (&a)[4], const float (&b)[2]) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp, r = lane / 4, c = lane % 4;
  for (int p = 0; p < 8; ++p)
    for (int i = 0; i < 2; ++i) {
      const float x = shuffle(a[i + p / 4 * 2], 4 * r + p % 4);
      for (int j = 0; j < 2; ++j) d[2 * i + j] = fmaf(x, shuffle(b[p / 4], 4 * (2 * c + j) + p % 4), d[2 * i + j]);
    }
}

#endif

}  // namespace tt::gpu
