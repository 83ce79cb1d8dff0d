// Vectors of eight floats, for the kernels that are not matrix products.
//
// Compiler vector types of 32 bytes: the compiler chooses the instructions. columns() iterates over
// rows of any length; its last step may be narrower than a vector: the missing lanes read as zero
// and are not written.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__AVX2__) || defined(__FMA__)
#include <immintrin.h>
#elif defined(__ARM_FEATURE_FMA)
#include <arm_neon.h>
#endif

#include "base/random.h"
#include "tensor/backend.h"

// These functions are internal to their translation unit, so the ABI for vectors on processors
// without AVX-512 does not matter.
#if defined(__GNUC__) && !defined(__AVX512F__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace tt::vec {

using F4 = float __attribute__((vector_size(16)));
using F8 = float __attribute__((vector_size(32)));
using I8 = std::int32_t __attribute__((vector_size(32)));
using U8 = std::uint32_t __attribute__((vector_size(32)));
using F16 = float __attribute__((vector_size(64)));
using I16 = std::int32_t __attribute__((vector_size(64)));
constexpr std::int64_t kWidth = 8;

struct Full {};  // all eight lanes
struct Part {
  std::int64_t n;
};  // the first n lanes, n < 8

inline F8 splat(float x) { return F8{x, x, x, x, x, x, x, x}; }
inline F8 load(const float* from, Full = {}) {
  F8 x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
inline F8 load(const float* from, Part part) {
  F8 x = {};
  std::memcpy(&x, from, static_cast<std::size_t>(part.n) * sizeof(float));
  return x;
}
inline void store(float* to, F8 x, Full = {}) { std::memcpy(to, &x, sizeof x); }
inline void store(float* to, F8 x, Part part) {
  std::memcpy(to, &x, static_cast<std::size_t>(part.n) * sizeof(float));
}

// Calls f(column, Full or Part) for columns 0, 8, ... of a row of d.
template <class F>
inline void columns(std::int64_t d, F&& f) {
  std::int64_t c = 0;
  for (; c + kWidth <= d; c += kWidth) f(c, Full{});
  if (c < d) f(c, Part{d - c});
}

// Whether any lane of a comparison holds.
inline bool any(I8 mask) {
#if defined(__AVX2__)
  return _mm256_movemask_ps(reinterpret_cast<__m256>(mask)) != 0;
#else
  std::int32_t all = 0;
  for (int i = 0; i < 8; ++i) all |= mask[i];
  return all != 0;
#endif
}

// The lanes in which a comparison holds, as bits.
inline unsigned lanes(I8 mask) {
#if defined(__AVX2__)
  return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
#else
  unsigned all = 0;
  for (int i = 0; i < 8; ++i) all |= static_cast<unsigned>(mask[i] & 1) << i;
  return all;
#endif
}

inline F8 select(I8 mask, F8 yes, F8 no) {
  return reinterpret_cast<F8>((mask & reinterpret_cast<I8>(yes)) |
                              (~mask & reinterpret_cast<I8>(no)));
}
// A NaN in `a` is kept, so that clamping or rectifying does not hide it.
#if defined(__AVX2__)
inline F8 max(F8 a, F8 b) {
  return reinterpret_cast<F8>(
      _mm256_max_ps(reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(a)));
}
inline F8 min(F8 a, F8 b) {
  return reinterpret_cast<F8>(
      _mm256_min_ps(reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(a)));
}
#else
inline F8 max(F8 a, F8 b) { return select(a < b, b, a); }
inline F8 min(F8 a, F8 b) { return select(a > b, b, a); }
#endif
// a b + c, rounded once if the processor can. Compilers may not fuse a * b + c by themselves
// (-ffp-contract=off): each would do so in other places, and give other bits.
inline F8 multiply_add(F8 a, F8 b, F8 c) {
#if defined(__FMA__)
  return reinterpret_cast<F8>(_mm256_fmadd_ps(
      reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)));
#elif defined(__ARM_FEATURE_FMA)
  const auto low = [](F8 x) {
    return reinterpret_cast<float32x4_t>(__builtin_shufflevector(x, x, 0, 1, 2, 3));
  };
  const auto high = [](F8 x) {
    return reinterpret_cast<float32x4_t>(__builtin_shufflevector(x, x, 4, 5, 6, 7));
  };
  return __builtin_shufflevector(reinterpret_cast<F4>(vfmaq_f32(low(c), low(a), low(b))),
                                 reinterpret_cast<F4>(vfmaq_f32(high(c), high(a), high(b))), 0, 1,
                                 2, 3, 4, 5, 6, 7);
#else
  return a * b + c;
#endif
}
inline F16 multiply_add(F16 a, F16 b, F16 c) {
#if defined(__AVX512F__)
  return reinterpret_cast<F16>(_mm512_fmadd_ps(
      reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)));
#else
  const auto low = [](F16 x) { return __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7); };
  const auto high = [](F16 x) {
    return __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
  };
  return __builtin_shufflevector(multiply_add(low(a), low(b), low(c)),
                                 multiply_add(high(a), high(b), high(c)), 0, 1, 2, 3, 4, 5, 6, 7, 8,
                                 9, 10, 11, 12, 13, 14, 15);
#endif
}
// The nearest whole numbers, of two the even ones. Requires |x| < 2^31.
inline I8 round(F8 x) {
#if defined(__AVX2__)
  return reinterpret_cast<I8>(_mm256_cvtps_epi32(reinterpret_cast<__m256>(x)));
#else
  I8 n;
  for (int i = 0; i < 8; ++i) n[i] = static_cast<std::int32_t>(__builtin_lrintf(x[i]));
  return n;
#endif
}
inline F8 zero_where(I8 mask, F8 x) {
  return reinterpret_cast<F8>(~mask & reinterpret_cast<I8>(x));
}
// Lanes n.. of x become `value`.
inline F8 fill_after(F8 x, std::int64_t n, float value) {
  const I8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
  return select(lane < static_cast<std::int32_t>(n), x, splat(value));
}
inline F8 fill_after(F8 x, Full, float) { return x; }
inline F8 fill_after(F8 x, Part part, float value) { return fill_after(x, part.n, value); }

// Lanes before n become `value`.
inline F8 fill_before(F8 x, std::int64_t n, float value) {
  const I8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
  return n == 0 ? x : select(lane < static_cast<std::int32_t>(n), splat(value), x);
}

// Pairwise by halves: ((x0 + x4) + (x2 + x6)) + ((x1 + x5) + (x3 + x7)).
inline float sum(F8 x) {
  const F4 four =
      __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
  const F4 two = four + __builtin_shufflevector(four, four, 2, 3, 2, 3);
  return two[0] + two[1];
}
inline float largest(F8 x) {
  x = max(x, __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3));
  x = max(x, __builtin_shufflevector(x, x, 2, 3, 0, 1, 6, 7, 4, 5));
  return x[1] > x[0] ? x[1] : x[0];
}

// e^x with a relative error below 2e-7 from -87.3 on, the least where it is normal; 0 below -87.7;
// never infinite. F: F8 or F16, I: the integers of as many lanes.
template <class F, class I>
inline F exp_of(F x) {
  x = x < -88.0f ? F{} - 88.0f
                 : x;  // where the power is 2^-127, whose bits are those of 0; a NaN is kept
  x = x > 88.3f ? F{} + 88.3f : x;
  const auto all = [](float number) { return F{} + number; };
  const F shifted = multiply_add(
      x, all(1.44269504f),
      all(12582912.0f));  // adding 1.5 * 2^23 rounds to an integer, which is then in the low bits
  const F n = shifted - 12582912.0f;
  const F r = multiply_add(n, all(-1.42860677e-6f),
                           multiply_add(n, all(-0.693145752f), x));  // ln 2 in two parts
  F p = all(1.9875691500e-4f);  // the minimax polynomial of Cephes' expf
  for (const float next :
       {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f})
    p = multiply_add(p, r, all(next));
  p = multiply_add(p * r, r, r) + 1.0f;
  const I power = (reinterpret_cast<I>(shifted) << 23) + (127 << 23);
  return p * reinterpret_cast<F>(power);
}
inline F8 exp(F8 x) { return exp_of<F8, I8>(x); }
inline F16 exp(F16 x) { return exp_of<F16, I16>(x); }

// The logistic function 1 / (1 + e^-x), and tanh x = 2 / (1 + e^-2x) - 1, within 2e-7.
inline F8 logistic(F8 x) { return 1.0f / (1.0f + exp(-x)); }
inline F8 tanh(F8 x) { return 2.0f / (1.0f + exp(-2.0f * x)) - 1.0f; }

// tanh x and its derivative, 4 e / (1 + e)^2 with e = e^-2|x|, which avoids cancellation where tanh
// is nearly 1.
struct Tanh {
  F8 value, slope;
};
inline Tanh tanh_and_slope(F8 x) {
  const F8 e = exp(-2.0f * max(x, -x)), on = 1.0f / (1.0f + e), y = (1.0f - e) * on;
  return {select(x < 0.0f, -y, y), 4.0f * e * on * on};
}

// The 64 x 16 random bits of a group of elements: words of eight Philox blocks, one block per lane.
struct Group {
  U8 words[4];
};

inline void multiply(U8 x, std::uint32_t by, U8& high, U8& low) {
#if defined(__AVX2__)
  const __m256i factor = _mm256_set1_epi32(static_cast<int>(by)), v = reinterpret_cast<__m256i>(x);
  const __m256i even = _mm256_mul_epu32(v, factor),
                odd = _mm256_mul_epu32(_mm256_srli_epi64(v, 32), factor);
  low = reinterpret_cast<U8>(_mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA));
  high = reinterpret_cast<U8>(_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA));
#else
  for (int i = 0; i < 8; ++i) {
    const std::uint64_t product = std::uint64_t{x[i]} * by;
    low[i] = static_cast<std::uint32_t>(product);
    high[i] = static_cast<std::uint32_t>(product >> 32);
  }
#endif
}

// philox() of base/random.h for eight counters at once; see tensor/dropout.h.
inline Group random_group(const Dropout& dropout, std::uint64_t group) {
  const auto high = static_cast<std::uint32_t>(group >> 29);
  const auto all = [](std::uint32_t x) { return U8{x, x, x, x, x, x, x, x}; };
  U8 c0 = all(static_cast<std::uint32_t>(8 * group)) + U8{0, 1, 2, 3, 4, 5, 6, 7},
     c1 = all(dropout.site + (high << 16)), c2 = all(dropout.update), c3 = all(dropout.shard);
  std::uint32_t k0 = static_cast<std::uint32_t>(dropout.seed),
                k1 = static_cast<std::uint32_t>(dropout.seed >> 32);
  for (int round = 0; round < 10; ++round) {
    U8 high0, low0, high1, low1;
    multiply(c0, 0xD2511F53, high0, low0);
    multiply(c2, 0xCD9E8D57, high1, low1);
    c0 = high1 ^ c1 ^ all(k0);
    c1 = low1;
    c2 = high0 ^ c3 ^ all(k1);
    c3 = low0;
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return {{c0, c1, c2, c3}};
}

// The dropout factors along a row, to be requested for columns 0, 8, 16, ... in this order: 0 or 1
// / (1 - rate).
template <bool Active>
class DropoutRow {
 public:
  DropoutRow(const Dropout& dropout, std::uint64_t first_element)
      : dropout_(dropout), group_(first_element / 64),
        threshold_(static_cast<std::int32_t>(dropout.rate * 65536.0f + 0.5f)),
        scale_(1.0f / (1.0f - dropout.rate)) {}

  F8 factor(std::int64_t column) {
    const int part = static_cast<int>(column % 64 / 8);
    if (part == 0) bits_ = random_group(dropout_, group_++);
    const U8 word = bits_.words[part / 2];
    const I8 half = reinterpret_cast<I8>(part % 2 ? word >> 16 : word & 0xFFFF);
    return zero_where(half < threshold_, splat(scale_));
  }

 private:
  const Dropout& dropout_;
  std::uint64_t group_;
  std::int32_t threshold_;
  float scale_;
  Group bits_;
};

template <>
class DropoutRow<false> {
 public:
  DropoutRow(const Dropout&, std::uint64_t) {}
  F8 factor(std::int64_t) const { return splat(1); }
};

// Calls f with DropoutRow<true> or DropoutRow<false> as a type tag.
template <class F>
inline void with_dropout(const Dropout& dropout, F&& f) {
  if (dropout.rate > 0) f.template operator()<true>();
  else f.template operator()<false>();
}

inline std::uint64_t row_element(std::int64_t row, std::int64_t d) {
  return static_cast<std::uint64_t>(row) * static_cast<std::uint64_t>((d + 63) / 64 * 64);
}

}  // namespace tt::vec
