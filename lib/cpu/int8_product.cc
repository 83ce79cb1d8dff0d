// Products in eight bits. Sums of whole numbers are exact in any order, so the tiles below give the same bits, whatever
// instructions they use: VNNI adds four products of a byte of W and one of x at once; AVX2 adds two, of 16 bits each, since its
// sums of products of bytes would saturate. Both want one factor without sign, which is W's; what kInt8Zero adds to a sum is
// taken from it in the end.
//
// A tile is a few rows times one or more panels of W; it reads a panel from its beginning to its end.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "cpu/cpu.h"
#include "cpu/vec.h"
#include "tensor/int8.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tt {
namespace {

constexpr std::int64_t kStep = kInt8Columns * kInt8Depth;  // bytes of a panel for four rows of W

// Rows of x in whole numbers, and what turns their sums into results.
template <class Number>
struct Rows {
  const Number* x;           // [rows, ld]; zeros beyond k
  std::int64_t ld;           // a multiple of four
  const std::int32_t* bias;  // [rows]: what kInt8Zero has added to every sum
  const float* scales;       // [rows]
};

// Panels of W beside each other, and where their results go.
struct Columns {
  std::int64_t groups;         // of four rows of W
  const std::uint8_t* panels;  // the first
  const float* scales;         // of its columns
  std::int64_t width;          // columns that there are
  float* y;
  std::int64_t ldy;
};

#if defined(__x86_64__)

struct Vnni {
  using Number = std::int8_t;
  using Floats = float __attribute__((vector_size(64)));
  using Integers = std::int32_t __attribute__((vector_size(64)));
  static constexpr int kRows = 12, kPanels = 8;
  // The rows that fit the registers with so many panels; few rows take many panels, so that no sum waits for the one before.
  static constexpr int most_rows(int panels) { return panels == 8 ? 2 : panels == 4 ? 6 : kRows; }

  template <int R, int P>
  __attribute__((target("avx512f,avx512vnni"))) static void tile(const Rows<Number>& rows, std::int64_t first, const Columns& c) {
    __m512i sums[R][P];
    for (int r = 0; r < R; ++r)
      for (int p = 0; p < P; ++p) sums[r][p] = _mm512_setzero_si512();
    const std::int8_t* x = rows.x + first * rows.ld;
    const std::uint8_t* w = c.panels;
    for (std::int64_t g = 0; g < c.groups; ++g, w += kStep, x += kInt8Depth) {
      __m512i columns[P];
      for (int p = 0; p < P; ++p) columns[p] = _mm512_loadu_si512(w + p * c.groups * kStep);
      for (int r = 0; r < R; ++r) {
        std::int32_t four;
        std::memcpy(&four, x + r * rows.ld, sizeof four);
        const __m512i all = _mm512_set1_epi32(four);
        for (int p = 0; p < P; ++p) sums[r][p] = _mm512_dpbusd_epi32(sums[r][p], columns[p], all);
      }
    }
    for (int p = 0; p < P; ++p) {
      const std::int64_t begin = p * kInt8Columns;
      const auto bytes = static_cast<std::size_t>(std::min(kInt8Columns, c.width - begin)) * sizeof(float);
      Floats scales = {};
      std::memcpy(&scales, c.scales + begin, bytes);
      for (int r = 0; r < R; ++r) {
        const Floats sum = __builtin_convertvector(reinterpret_cast<Integers>(sums[r][p]) - rows.bias[first + r], Floats);
        const Floats y = sum * (rows.scales[first + r] * scales);
        std::memcpy(c.y + (first + r) * c.ldy + begin, &y, bytes);
      }
    }
  }
};

struct Avx2 {
  using Number = std::int16_t;
  static constexpr int kRows = 3, kPanels = 1;
  static constexpr int most_rows(int) { return kRows; }

  template <int R, int P>
  __attribute__((target("avx2"))) static void tile(const Rows<Number>& rows, std::int64_t first, const Columns& c) {
    static_assert(P == 1);
    __m256i sums[R][4];  // each of four columns, two sums a column
    for (int r = 0; r < R; ++r)
      for (int q = 0; q < 4; ++q) sums[r][q] = _mm256_setzero_si256();
    const std::int16_t* x = rows.x + first * rows.ld;
    const std::uint8_t* w = c.panels;
    for (std::int64_t g = 0; g < c.groups; ++g, w += kStep, x += kInt8Depth) {
      __m256i all[R];
      for (int r = 0; r < R; ++r) {
        long long four;
        std::memcpy(&four, x + r * rows.ld, sizeof four);
        all[r] = _mm256_set1_epi64x(four);
      }
      for (int q = 0; q < 4; ++q) {
        const __m256i columns = _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(w + 16 * q)));
        for (int r = 0; r < R; ++r) sums[r][q] = _mm256_add_epi32(sums[r][q], _mm256_madd_epi16(columns, all[r]));
      }
    }
    for (int r = 0; r < R; ++r) {
      float row[kInt8Columns];
      const __m256 scale = _mm256_set1_ps(rows.scales[first + r]);
      const __m256i bias = _mm256_set1_epi32(rows.bias[first + r]);
      for (int h = 0; h < 2; ++h) {
        const __m256i pairs = _mm256_hadd_epi32(sums[r][2 * h], sums[r][2 * h + 1]);  // columns 0 1 4 5 2 3 6 7
        const __m256i sum = _mm256_sub_epi32(_mm256_permute4x64_epi64(pairs, 0xD8), bias);
        _mm256_storeu_ps(row + 8 * h, _mm256_cvtepi32_ps(sum));
      }
      float* to = c.y + (first + r) * c.ldy;
      if (c.width >= kInt8Columns) {
        for (int h = 0; h < 2; ++h)
          _mm256_storeu_ps(to + 8 * h,
                           _mm256_mul_ps(_mm256_loadu_ps(row + 8 * h), _mm256_mul_ps(scale, _mm256_loadu_ps(c.scales + 8 * h))));
      } else {
        for (std::int64_t j = 0; j < c.width; ++j) to[j] = row[j] * (rows.scales[first + r] * c.scales[j]);
      }
    }
  }
};

#endif

struct Any {
  using Number = std::int16_t;
  static constexpr int kRows = 1, kPanels = 1;
  static constexpr int most_rows(int) { return kRows; }

  template <int R, int P>
  static void tile(const Rows<Number>& rows, std::int64_t first, const Columns& c) {
    static_assert(R == 1 && P == 1);
    std::int32_t sums[kInt8Columns] = {};
    const std::int16_t* x = rows.x + first * rows.ld;
    const std::uint8_t* w = c.panels;
    for (std::int64_t g = 0; g < c.groups; ++g, w += kStep, x += kInt8Depth)
      for (std::int64_t j = 0; j < kInt8Columns; ++j)
        for (std::int64_t i = 0; i < kInt8Depth; ++i) sums[j] += w[j * kInt8Depth + i] * x[i];
    for (std::int64_t j = 0; j < std::min(c.width, kInt8Columns); ++j)
      c.y[first * c.ldy + j] = static_cast<float>(sums[j] - rows.bias[first]) * (rows.scales[first] * c.scales[j]);
  }
};

// Rows [begin, end) times P panels, in tiles of `height` rows, at most R, and a lower one.
template <class Tile, int P, int R>
void rows_of(std::int64_t height, std::int64_t begin, std::int64_t end, const Rows<typename Tile::Number>& rows,
             const Columns& c) {
  if (height == R) {
    for (; begin + R <= end; begin += R) Tile::template tile<R, P>(rows, begin, c);
    height = end - begin;
  }
  if constexpr (R > 1) {
    if (height > 0) rows_of<Tile, P, R - 1>(height, begin, end, rows, c);
  }
}

// All n columns, in stretches of as many panels as suit tiles of this height.
template <class Tile, int P = Tile::kPanels>
void columns_of(std::int64_t height, std::int64_t count, std::int64_t n, const Rows<typename Tile::Number>& rows, Columns c) {
  constexpr std::int64_t kWidth = P * kInt8Columns;
  constexpr int kMost = Tile::most_rows(P);
  if (height <= kMost)
    while (n >= kWidth || (P == 1 && n > 0)) {
      c.width = std::min(n, kWidth);
      rows_of<Tile, P, kMost>(height, 0, count, rows, c);
      n -= c.width;
      c.panels += P * c.groups * kStep;
      c.scales += c.width;
      c.y += c.width;
    }
  if constexpr (P > 1) {
    if (n > 0) columns_of<Tile, P / 2>(height, count, n, rows, c);
  }
}

using Bytes = std::int8_t __attribute__((vector_size(8)));
using Shorts = std::int16_t __attribute__((vector_size(16)));
template <class Number>
using Eight = std::conditional_t<sizeof(Number) == 1, Bytes, Shorts>;

// Rounds a row: its numbers, zeros up to ld, its bias and its scale.
template <class Number>
void round_row(std::int64_t k, std::int64_t ld, const float* x, Number* numbers, std::int32_t& bias, float& scale) {
  using namespace vec;
  F8 top = {}, nothing = {};
  columns(k, [&](std::int64_t c, auto w) {
    const F8 v = load(x + c, w);
    top = max(top, max(v, -v));
    nothing += v * 0.0f;  // not where a value is not finite
  });
  const float m = largest(top), inverse = 127 / m;
  std::fill(numbers, numbers + ld, Number{0});
  bias = 0;
  scale = m / 127;
  if (!(sum(nothing) == 0)) scale = std::numeric_limits<float>::quiet_NaN();
  else if (std::isinf(inverse)) scale = 0;
  else {
    I8 total = {};
    columns(k, [&](std::int64_t c, auto w) {
      const I8 q = round(load(x + c, w) * inverse);
      const auto few = __builtin_convertvector(q, Eight<Number>);
      std::memcpy(numbers + c, &few, static_cast<std::size_t>(std::min<std::int64_t>(8, k - c)) * sizeof(Number));
      total += q;
    });
    for (int i = 0; i < 8; ++i) bias += total[i];
    bias *= kInt8Zero;
  }
}

constexpr std::int64_t kBlock = 240;  // rows that are rounded together: they stay in the second-level cache

template <class Tile>
void int8_product(const Int8Product& k) {
  using Number = typename Tile::Number;
  static thread_local std::vector<Number> numbers;
  const std::int64_t groups = int8_groups(k.w.k), ld = groups * kInt8Depth;
  std::int32_t bias[kBlock];
  float scales[kBlock];
  numbers.resize(std::max(numbers.size(), static_cast<std::size_t>(std::min(kBlock, k.rows) * ld)));
  for (std::int64_t begin = 0; begin < k.rows; begin += kBlock) {
    const std::int64_t count = std::min(kBlock, k.rows - begin);
    for (std::int64_t r = 0; r < count; ++r)
      round_row(k.w.k, ld, k.x + (begin + r) * k.w.k, numbers.data() + r * ld, bias[r], scales[r]);
    const std::int64_t tiles = (count + Tile::kRows - 1) / Tile::kRows, height = (count + tiles - 1) / tiles;
    columns_of<Tile>(height, count, k.w.n, Rows<Number>{numbers.data(), ld, bias, scales},
                     Columns{groups, k.w.panels, k.w.scales, 0, k.y + begin * k.w.n, k.w.n});
  }
}

}  // namespace

std::vector<Int8ProductVariant> int8_products() {
  std::vector<Int8ProductVariant> known;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni"))
    known.push_back({Instructions::avx512, "AVX-512 VNNI", int8_product<Vnni>});
  if (__builtin_cpu_supports("avx2")) known.push_back({Instructions::avx2, "AVX2", int8_product<Avx2>});
#endif
  known.push_back({Instructions::any, "any", int8_product<Any>});
  return known;
}

void CpuBackend::int8_product(const Int8Product& k) const {
  static const Int8ProductVariant best = [] {
    const auto known = int8_products();
    return *std::find_if(known.begin(), known.end(), [](const auto& v) { return v.needs <= most_instructions(); });
  }();
  best.run(k);
}

void CpuBackend::int8_columns(const Int8Columns& k) const {
  const std::int64_t groups = int8_groups(k.w.k);
  for (std::int64_t r = 0; r < k.rows; ++r) {
    const std::int64_t j = k.columns[r];
    if (j < 0) {
      std::fill(k.y + r * k.w.k, k.y + (r + 1) * k.w.k, 0.0f);
      continue;
    }
    const std::uint8_t* from = k.w.panels + (j / kInt8Columns * groups * kInt8Columns + j % kInt8Columns) * kInt8Depth;
    for (std::int64_t i = 0; i < k.w.k; ++i)
      k.y[r * k.w.k + i] = static_cast<float>(from[i / kInt8Depth * kStep + i % kInt8Depth] - kInt8Zero) * k.w.scales[j];
  }
}

}  // namespace tt
