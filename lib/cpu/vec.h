// Vectors of as many floats as the processor that is compiled for has in one, for the kernels that
// are not matrix products.
//
// Compiler vector types: the compiler chooses the instructions. columns() iterates over rows of any
// length; its last step may be narrower than a vector: the missing lanes read as zero and are not
// written.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>

#if defined(__AVX2__) || defined(__FMA__)
#include <immintrin.h>
#elif defined(__ARM_FEATURE_FMA)
#include <arm_neon.h>
#endif

#include "base/random.h"
#include "tensor/backend.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored \
    "-Wuninitialized"  // falsely, in the header of AVX-512 of g++ 12 (its bug 105593)
#endif
// These functions are internal to their translation unit, so the ABI for vectors on processors
// without AVX-512 does not matter.
#if defined(__GNUC__) && !defined(__AVX512F__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace tt::vec {

using F4 = float __attribute__((vector_size(16)));
using F8 = float __attribute__((vector_size(32)));
#if defined(__AVX512F__)
constexpr std::int64_t kWidth = 16;
#else
constexpr std::int64_t kWidth = 8;
#endif
using Floats = float __attribute__((vector_size(4 * kWidth)));
using Ints = std::int32_t __attribute__((vector_size(4 * kWidth)));
using Words = std::uint32_t __attribute__((vector_size(4 * kWidth)));
#if defined(__AVX512F__)
constexpr Ints kLanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
#else
constexpr Ints kLanes = {0, 1, 2, 3, 4, 5, 6, 7};
#endif

struct Full {};  // all lanes
struct Tail {
  std::int64_t n;
};  // the first n lanes, n < kWidth

inline Floats splat(float x) { return x - Floats{}; }  // a sum would lose the sign of zero
inline Floats load(const float* from, Full = {}) {
  Floats x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
inline void store(float* to, Floats x, Full = {}) { std::memcpy(to, &x, sizeof x); }
#if defined(__AVX512F__)
inline __mmask16 lanes_of(Tail tail) { return static_cast<__mmask16>((1u << tail.n) - 1); }
inline Floats load(const float* from, Tail tail) {
  return reinterpret_cast<Floats>(_mm512_maskz_loadu_ps(lanes_of(tail), from));
}
inline void store(float* to, Floats x, Tail tail) {
  _mm512_mask_storeu_ps(to, lanes_of(tail), reinterpret_cast<__m512>(x));
}
#else
inline Floats load(const float* from, Tail tail) {
  Floats x = {};
  std::memcpy(&x, from, static_cast<std::size_t>(tail.n) * sizeof(float));
  return x;
}
inline void store(float* to, Floats x, Tail tail) {
  std::memcpy(to, &x, static_cast<std::size_t>(tail.n) * sizeof(float));
}
#endif

// Calls f(column, Full or Tail) for columns 0, kWidth, ... of a row of d.
template <class F>
inline void columns(std::int64_t d, F&& f) {
  std::int64_t c = 0;
  for (; c + kWidth <= d; c += kWidth) f(c, Full{});
  if (c < d) f(c, Tail{d - c});
}

// The lanes of x that are larger than y, as bits.
inline unsigned lanes_above(Floats x, float y) {
#if defined(__AVX512F__)
  return _mm512_cmp_ps_mask(reinterpret_cast<__m512>(x), _mm512_set1_ps(y), _CMP_GT_OQ);
#elif defined(__AVX2__)
  return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(x > y)));
#else
  unsigned all = 0;
  for (int i = 0; i < kWidth; ++i) all |= static_cast<unsigned>(x[i] > y) << i;
  return all;
#endif
}

inline Floats select(Ints mask, Floats yes, Floats no) {
#if defined(__AVX512F__)
  return mask ? yes : no;
#else
  return reinterpret_cast<Floats>((mask & reinterpret_cast<Ints>(yes)) |
                                  (~mask & reinterpret_cast<Ints>(no)));
#endif
}
// A NaN in `a` is kept, so that clamping or rectifying does not hide it.
#if defined(__AVX512F__)
inline Floats max(Floats a, Floats b) {
  return reinterpret_cast<Floats>(
      _mm512_max_ps(reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(a)));
}
inline Floats min(Floats a, Floats b) {
  return reinterpret_cast<Floats>(
      _mm512_min_ps(reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(a)));
}
#elif defined(__AVX2__)
inline Floats max(Floats a, Floats b) {
  return reinterpret_cast<Floats>(
      _mm256_max_ps(reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(a)));
}
inline Floats min(Floats a, Floats b) {
  return reinterpret_cast<Floats>(
      _mm256_min_ps(reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(a)));
}
#else
inline Floats max(Floats a, Floats b) { return select(a < b, b, a); }
inline Floats min(Floats a, Floats b) { return select(a > b, b, a); }
#endif
// a b + c, rounded once if the processor can. Compilers may not fuse a * b + c by themselves
// (-ffp-contract=off): each would do so in other places, and give other bits.
inline Floats multiply_add(Floats a, Floats b, Floats c) {
#if defined(__AVX512F__)
  return reinterpret_cast<Floats>(_mm512_fmadd_ps(
      reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)));
#elif defined(__FMA__)
  return reinterpret_cast<Floats>(_mm256_fmadd_ps(
      reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)));
#elif defined(__ARM_FEATURE_FMA)
  const auto low = [](Floats x) {
    return reinterpret_cast<float32x4_t>(__builtin_shufflevector(x, x, 0, 1, 2, 3));
  };
  const auto high = [](Floats x) {
    return reinterpret_cast<float32x4_t>(__builtin_shufflevector(x, x, 4, 5, 6, 7));
  };
  return __builtin_shufflevector(reinterpret_cast<F4>(vfmaq_f32(low(c), low(a), low(b))),
                                 reinterpret_cast<F4>(vfmaq_f32(high(c), high(a), high(b))), 0, 1,
                                 2, 3, 4, 5, 6, 7);
#else
  return a * b + c;
#endif
}
// The nearest whole numbers, of two the even ones. Requires |x| < 2^31.
inline Ints round(Floats x) {
#if defined(__AVX512F__)
  return reinterpret_cast<Ints>(_mm512_cvtps_epi32(reinterpret_cast<__m512>(x)));
#elif defined(__AVX2__)
  return reinterpret_cast<Ints>(_mm256_cvtps_epi32(reinterpret_cast<__m256>(x)));
#else
  Ints n;
  for (int i = 0; i < kWidth; ++i) n[i] = static_cast<std::int32_t>(__builtin_lrintf(x[i]));
  return n;
#endif
}
inline Floats zero_where(Ints mask, Floats x) {
#if defined(__AVX512F__)
  return mask ? Floats{} : x;
#else
  return reinterpret_cast<Floats>(~mask & reinterpret_cast<Ints>(x));
#endif
}
// Lanes n.. of x become `value`.
inline Floats fill_after(Floats x, std::int64_t n, float value) {
  return select(kLanes < static_cast<std::int32_t>(n), x, splat(value));
}
inline Floats fill_after(Floats x, Full, float) { return x; }
inline Floats fill_after(Floats x, Tail tail, float value) { return fill_after(x, tail.n, value); }

// Lanes before n become `value`.
inline Floats fill_before(Floats x, std::int64_t n, float value) {
  return n == 0 ? x : select(kLanes < static_cast<std::int32_t>(n), splat(value), x);
}

// Pairwise by halves; of eight: ((x0 + x4) + (x2 + x6)) + ((x1 + x5) + (x3 + x7)).
inline float sum(F8 x) {
  const F4 four =
      __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
  const F4 two = four + __builtin_shufflevector(four, four, 2, 3, 2, 3);
  return two[0] + two[1];
}
// The sums of four vectors, each with the bits of sum().
inline F4 sums(F8 a, F8 b, F8 c, F8 d) {
  const auto halves = [](F8 x, F8 y) {
    return __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15);
  };
  const F8 ab = halves(a, b), cd = halves(c, d);
  const F8 pairs = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13) +
                   __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
  return __builtin_shufflevector(pairs, pairs, 0, 4, 2, 6) +
         __builtin_shufflevector(pairs, pairs, 1, 5, 3, 7);
}
#if defined(__AVX512F__)
inline F8 halved(Floats x) {
  return __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7) +
         __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
}
inline float sum(Floats x) { return sum(halved(x)); }
inline F4 sums(Floats a, Floats b, Floats c, Floats d) {
  return sums(halved(a), halved(b), halved(c), halved(d));
}
inline float largest(Floats x) { return _mm512_reduce_max_ps(reinterpret_cast<__m512>(x)); }
#else
inline float largest(Floats x) {
  x = max(x, __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3));
  x = max(x, __builtin_shufflevector(x, x, 2, 3, 0, 1, 6, 7, 4, 5));
  return x[1] > x[0] ? x[1] : x[0];
}
#endif

// e^x with a relative error below 2e-7 from -87.3 on, the least where it is normal; 0 below -87.7,
// where the power is 2^-127, whose bits are those of 0; never infinite. A NaN is kept.
inline Floats exp(Floats x) {
  x = min(max(x, splat(-88.0f)), splat(88.3f));
  const Floats shifted = multiply_add(
      x, splat(1.44269504f),
      splat(12582912.0f));  // adding 1.5 * 2^23 rounds to an integer, which is then in the low bits
  const Floats n = shifted - 12582912.0f;
  const Floats r = multiply_add(n, splat(-1.42860677e-6f),
                                multiply_add(n, splat(-0.693145752f), x));  // ln 2 in two parts
  Floats p = splat(1.9875691500e-4f);  // the minimax polynomial of Cephes' expf
  for (const float next :
       {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f})
    p = multiply_add(p, r, splat(next));
  p = multiply_add(p * r, r, r) + 1.0f;
  const Ints power = (reinterpret_cast<Ints>(shifted) << 23) + (127 << 23);
  return p * reinterpret_cast<Floats>(power);
}

// 2^x with a relative error below 2e-7; 2^-126 below -126. Requires x < 128. A NaN is kept. Each
// step waits for the one before: it is done for several vectors at once.
template <int N>
inline void exp2(Floats (&x)[N]) {
  Floats whole[N], p[N];
  for (Floats& v : x) v = max(v, splat(-126.0f));
  for (int i = 0; i < N; ++i) whole[i] = x[i] + 12582912.0f;  // as in exp()
  for (int i = 0; i < N; ++i) x[i] -= whole[i] - 12582912.0f;
  for (Floats& v : p) v = splat(1.326472731e-3f);  // minimax on [-1/2, 1/2], exact in 0
  for (const float next : {9.671512991e-3f, 5.550733581e-2f, 0.2402224243f, 0.6931470037f, 1.0f})
    for (int i = 0; i < N; ++i) p[i] = multiply_add(p[i], x[i], splat(next));
  for (int i = 0; i < N; ++i)
    x[i] = reinterpret_cast<Floats>(reinterpret_cast<Ints>(p[i]) +
                                    (reinterpret_cast<Ints>(whole[i]) << 23));
}

// Of a row of d logits z, of which none is larger than `peak`: calls f(column, powers, Full or
// Tail) with powers = 2^(z log2 e - base) for columns 0, kWidth, ..., where base = base_of(peak).
// The logarithm of the sum of all e^z is log_sum(base, the sum of the powers). A base is a number
// of its own, so that its rounding does not matter.
constexpr float kLog2E = 1.44269504f;
inline float base_of(float peak) { return peak * kLog2E; }
inline double log_sum(float base, float mass) {
  return (base + std::log2(double{mass})) * std::numbers::ln2;
}
template <class F>
inline void powers(const float* z, std::int64_t d, float base, F&& f) {
  constexpr int kTogether = 4;
  const auto exponent = [&](std::int64_t c, auto w) {
    return multiply_add(load(z + c, w), splat(kLog2E), splat(-base));
  };
  std::int64_t c = 0;
  for (; c + kTogether * kWidth <= d; c += kTogether * kWidth) {
    Floats x[kTogether];
    for (int i = 0; i < kTogether; ++i) x[i] = exponent(c + i * kWidth, Full{});
    exp2(x);
    for (int i = 0; i < kTogether; ++i) f(c + i * kWidth, x[i], Full{});
  }
  columns(d - c, [&](std::int64_t i, auto w) {
    Floats x[] = {exponent(c + i, w)};
    exp2(x);
    f(c + i, x[0], w);
  });
}

// The logistic function 1 / (1 + e^-x), and tanh x = 2 / (1 + e^-2x) - 1, within 2e-7.
inline Floats logistic(Floats x) { return 1.0f / (1.0f + exp(-x)); }
inline Floats tanh(Floats x) { return 2.0f / (1.0f + exp(-2.0f * x)) - 1.0f; }

// tanh x and its derivative, 4 e / (1 + e)^2 with e = e^-2|x|, which avoids cancellation where tanh
// is nearly 1.
struct Tanh {
  Floats value, slope;
};
inline Tanh tanh_and_slope(Floats x) {
  const Floats e = exp(-2.0f * max(x, -x)), on = 1.0f / (1.0f + e), y = (1.0f - e) * on;
  return {select(x < 0.0f, -y, y), 4.0f * e * on * on};
}

// The 64 x 16 random bits of groups of elements, of which a vector holds one or two: words of eight
// Philox blocks each, one block per lane.
constexpr int kGroups = kWidth / 8;
struct Groups {
  Words words[4];
};

inline void multiply(Words x, std::uint32_t by, Words& high, Words& low) {
#if defined(__AVX512F__)
  const __m512i factor = _mm512_set1_epi32(static_cast<int>(by)), v = reinterpret_cast<__m512i>(x);
  const __m512i even = _mm512_mul_epu32(v, factor),
                odd = _mm512_mul_epu32(_mm512_srli_epi64(v, 32), factor);
  low = reinterpret_cast<Words>(_mm512_mask_blend_epi32(0xAAAA, even, _mm512_slli_epi64(odd, 32)));
  high = reinterpret_cast<Words>(_mm512_mask_blend_epi32(0xAAAA, _mm512_srli_epi64(even, 32), odd));
#elif defined(__AVX2__)
  const __m256i factor = _mm256_set1_epi32(static_cast<int>(by)), v = reinterpret_cast<__m256i>(x);
  const __m256i even = _mm256_mul_epu32(v, factor),
                odd = _mm256_mul_epu32(_mm256_srli_epi64(v, 32), factor);
  low = reinterpret_cast<Words>(_mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA));
  high = reinterpret_cast<Words>(_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA));
#else
  for (int i = 0; i < kWidth; ++i) {
    const std::uint64_t product = std::uint64_t{x[i]} * by;
    low[i] = static_cast<std::uint32_t>(product);
    high[i] = static_cast<std::uint32_t>(product >> 32);
  }
#endif
}

// philox() of base/random.h for eight counters of each group at once; see tensor/dropout.h.
inline Groups random_groups(const Dropout& dropout, const std::uint64_t (&groups)[kGroups]) {
  const auto all = [](std::uint32_t x) { return x - Words{}; };
  const auto of_group = [&](const auto& word) {
    Words x = all(word(groups[0]));
    if constexpr (kGroups > 1) x = kLanes < 8 ? x : all(word(groups[kGroups - 1]));
    return x;
  };
  Words c0 = of_group([](std::uint64_t g) { return static_cast<std::uint32_t>(8 * g); }) +
             reinterpret_cast<Words>(kLanes & 7),
        c1 = of_group([&](std::uint64_t g) {
          return dropout.site + (static_cast<std::uint32_t>(g >> 29) << 16);
        }),
        c2 = all(dropout.update), c3 = all(dropout.shard);
  std::uint32_t k0 = static_cast<std::uint32_t>(dropout.seed),
                k1 = static_cast<std::uint32_t>(dropout.seed >> 32);
  for (int round = 0; round < 10; ++round) {
    Words high0, low0, high1, low1;
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

// Dropout factors, 0 or 1 / (1 - rate), of random bits.
class DropoutFactors {
 public:
  explicit DropoutFactors(const Dropout& dropout)
      : threshold_(static_cast<std::int32_t>(dropout.rate * 65536.0f + 0.5f)),
        scale_(1.0f / (1.0f - dropout.rate)) {}

  // Those of elements [first, first + kWidth) of one of the groups.
  Floats of(const Groups& bits, int group, std::int64_t first) const {
#if defined(__AVX512F__)
    const Words word = bits.words[first / 16];
    const Words both = group == 0 ? __builtin_shufflevector(word, word, 0, 1, 2, 3, 4, 5, 6, 7, 0,
                                                            1, 2, 3, 4, 5, 6, 7)
                                  : __builtin_shufflevector(word, word, 8, 9, 10, 11, 12, 13, 14,
                                                            15, 8, 9, 10, 11, 12, 13, 14, 15);
    const Words half = kLanes < 8 ? both & 0xFFFF : both >> 16;
#else
    const Words word = bits.words[first / 16 + 0 * group];
    const Words half = first % 16 ? word >> 16 : word & 0xFFFF;
#endif
    return zero_where(reinterpret_cast<Ints>(half) < threshold_, splat(scale_));
  }

 private:
  std::int32_t threshold_;
  float scale_;
};

// The dropout factors along a row, to be requested for columns 0, kWidth, 2 kWidth, ... in this
// order.
template <bool Active>
class DropoutRow {
 public:
  DropoutRow(const Dropout& dropout, std::uint64_t first_element)
      : dropout_(dropout), factors_(dropout), group_(first_element / 64) {}

  Floats factor(std::int64_t column) {
    const std::int64_t at = column % (64 * kGroups);
    if (at == 0) {
      std::uint64_t groups[kGroups];
      for (std::uint64_t& group : groups) group = group_++;
      bits_ = random_groups(dropout_, groups);
    }
    return factors_.of(bits_, static_cast<int>(at / 64), at % 64);
  }

 private:
  const Dropout& dropout_;
  DropoutFactors factors_;
  std::uint64_t group_;
  Groups bits_;
};

template <>
class DropoutRow<false> {
 public:
  DropoutRow(const Dropout&, std::uint64_t) {}
  Floats factor(std::int64_t) const { return splat(1); }
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
