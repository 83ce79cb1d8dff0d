// Products in eight bits. Sums of whole numbers are exact in any order, so the tiles below give the
// same bits, whatever instructions they use: VNNI adds four products of a byte of W and one of x at
// once; AVX2 adds two, of 16 bits each, since its sums of products of bytes would saturate. Both
// want one factor without sign, which is W's; what kInt8Zero adds to a sum is taken from it in the
// end.
//
// A tile is a few rows times one or more panels of W, or for AVX2 one half of a panel after the
// other. It reads both from their beginning to their end: of its rows, four numbers of each lie
// beside each other. Meanwhile it asks for the panels that come next, since all weights of a model
// are more than the cache holds.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "cpu/amx_product.h"
#include "cpu/cpu.h"
#include "cpu/int8_rows.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tt {
namespace {

constexpr std::int64_t kStep = kInt8Columns * kInt8Depth;  // bytes of a panel for four rows of W

// Rows of x in whole numbers. Those of a tile of R rows are [ld / 4][R][4], zeros beyond k; the
// next tile follows.
template <class Number>
struct Rows {
  const Number* x;           // [rows * ld]
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

#define TT_AVX2 __attribute__((target("avx2")))
#define TT_VNNI __attribute__((target("avx512f,avx512vnni")))
#define TT_UNROLLED \
  _Pragma("GCC unroll 32")  // and not inlined: else g++ 12 keeps the sums of large tiles in memory

struct Vnni {
  using Number = std::int8_t;
  static constexpr int kRows = 12, kPanels = 8;
  // The rows that fit the registers with so many panels; few rows take many panels, so that no sum
  // waits for the one before.
  static constexpr int most_rows(int panels) { return panels == 8 ? 2 : panels == 4 ? 6 : kRows; }

  template <int R, int P>
  TT_VNNI __attribute__((noinline)) static void tile(const Rows<Number>& rows, std::int64_t first,
                                                     const Columns& c) {
    __m512i sums[R][P];
    TT_UNROLLED for (int r = 0; r < R; ++r) {
      TT_UNROLLED for (int p = 0; p < P; ++p) sums[r][p] = _mm512_set1_epi32(-rows.bias[first + r]);
    }
    const std::int8_t* x = rows.x + first * rows.ld;
    const std::uint8_t* w = c.panels;
    for (std::int64_t g = 0; g < c.groups; ++g, w += kStep, x += R * kInt8Depth) {
      __m512i columns[P];
      TT_UNROLLED for (int p = 0; p < P; ++p) columns[p] =
          _mm512_loadu_si512(w + p * c.groups * kStep);
      TT_UNROLLED for (int p = 0; p < P; ++p)
          __builtin_prefetch(w + (P + p) * c.groups * kStep, 0, 2);
      TT_UNROLLED for (int r = 0; r < R; ++r) {
        std::int32_t four;
        std::memcpy(&four, x + r * kInt8Depth, sizeof four);
        const __m512i all = _mm512_set1_epi32(four);
        // _mm512_dpbusd_epi32, of which g++ 12 copies every sum.
        TT_UNROLLED for (int p = 0; p < P; ++p) asm(
            "vpdpbusd %2, %1, %0" : "+v"(sums[r][p]) : "v"(columns[p]), "v"(all));
      }
    }
    TT_UNROLLED for (int p = 0; p < P; ++p) {
      const std::int64_t begin = p * kInt8Columns, width = std::min(kInt8Columns, c.width - begin);
      const bool whole = width == kInt8Columns;
      const auto some = static_cast<__mmask16>((1u << width) - 1);
      const __m512 scales =
          whole ? _mm512_loadu_ps(c.scales + begin) : _mm512_maskz_loadu_ps(some, c.scales + begin);
      TT_UNROLLED for (int r = 0; r < R; ++r) {
        const __m512 scale = _mm512_mul_ps(_mm512_set1_ps(rows.scales[first + r]), scales);
        const __m512 y = _mm512_mul_ps(_mm512_cvtepi32_ps(sums[r][p]), scale);
        float* to = c.y + (first + r) * c.ldy + begin;
        if (whole) _mm512_storeu_ps(to, y);
        else _mm512_mask_storeu_ps(to, some, y);
      }
    }
  }

  TT_VNNI static float factor_of(std::int64_t k, const float* x, float* scale) {
    const auto some = static_cast<__mmask16>((1u << (k % 16)) - 1);
    const __m512i magnitude = _mm512_set1_epi32(0x7FFFFFFF);
    // The bits of |x|, as numbers, are in the order of |x|.
    __m512i top = _mm512_setzero_si512();
    std::int64_t c = 0;
    for (; c + 16 <= k; c += 16)
      top = _mm512_max_epu32(
          top, _mm512_and_si512(magnitude, _mm512_castps_si512(_mm512_loadu_ps(x + c))));
    const __m512 rest = _mm512_maskz_loadu_ps(some, x + c);
    top = _mm512_max_epu32(top, _mm512_and_si512(magnitude, _mm512_castps_si512(rest)));
    const std::uint32_t bits = _mm512_reduce_max_epu32(top);
    float largest;
    std::memcpy(&largest, &bits, sizeof largest);
    return set_scale(largest, bits < 0x7F800000, scale);
  }

  TT_VNNI static void round_row(std::int64_t k, const float* x, float factor,
                                const Rounded<Number>& to) {
    const auto some = static_cast<__mmask16>((1u << (k % 16)) - 1);
    __m512i total = _mm512_setzero_si512();
    const auto round = [&](__m512 v) TT_VNNI {
      const __m512i q = _mm512_cvtps_epi32(_mm512_mul_ps(v, _mm512_set1_ps(factor)));
      total = _mm512_add_epi32(total, q);
      return _mm512_cvtepi32_epi8(q);
    };
    Number* at = to.first;
    std::int64_t c = 0;
    for (; c + 16 <= k; c += 16, at += 4 * to.step) {
      const __m128i q = round(_mm512_loadu_ps(x + c));
      put<0>(q, at);
      put<1>(q, at + to.step);
      put<2>(q, at + 2 * to.step);
      put<3>(q, at + 3 * to.step);
    }
    if (c < k) {
      const __m128i q = round(_mm512_maskz_loadu_ps(some, x + c));
      put<0>(q, at);
      if (c + 4 < k) put<1>(q, at + to.step);
      if (c + 8 < k) put<2>(q, at + 2 * to.step);
      if (c + 12 < k) put<3>(q, at + 3 * to.step);
    }
    *to.bias = _mm512_reduce_add_epi32(total) * kInt8Zero;
  }

 private:
  template <int I>
  TT_VNNI static void put(__m128i q, Number* to) {
    const int four = _mm_extract_epi32(q, I);
    std::memcpy(to, &four, sizeof four);
  }
};

struct Avx2 : InShorts {
  static constexpr int kRows = 6, kPanels = 1;
  static constexpr int most_rows(int) { return kRows; }

  template <int R, int P>
  TT_AVX2 __attribute__((noinline)) static void tile(const Rows<Number>& rows, std::int64_t first,
                                                     const Columns& c) {
    static_assert(P == 1);
    half<R>(rows, first, c, 0);
    if (c.width > kHalf) half<R>(rows, first, c, kHalf);
  }

 private:
  static constexpr std::int64_t kHalf = kInt8Columns / 2;  // columns whose sums fit the registers

  template <int R>
  TT_AVX2 __attribute__((always_inline)) static void half(const Rows<Number>& rows,
                                                          std::int64_t first, const Columns& c,
                                                          std::int64_t begin) {
    __m256i sums[R][2];  // each of four columns, two sums a column
    TT_UNROLLED for (int r = 0; r < R; ++r) sums[r][0] = sums[r][1] = _mm256_setzero_si256();
    const std::int16_t* x = rows.x + first * rows.ld;
    const std::uint8_t* w = c.panels + begin * kInt8Depth;
    for (std::int64_t g = 0; g < c.groups; ++g, w += kStep, x += R * kInt8Depth) {
      __m256i columns[2];
      TT_UNROLLED for (int q = 0; q < 2; ++q) columns[q] =
          _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(w + 16 * q)));
      __builtin_prefetch(w + c.groups * kStep, 0, 2);
      TT_UNROLLED for (int r = 0; r < R; ++r) {
        long long four;
        std::memcpy(&four, x + r * kInt8Depth, sizeof four);
        const __m256i all = _mm256_set1_epi64x(four);
        // _mm256_add_epi32, of which g++ 12 keeps the sums in memory.
        TT_UNROLLED for (int q = 0; q < 2; ++q) asm("vpaddd %1, %0, %0" : "+x"(sums[r][q]) :
                                                    "x"(_mm256_madd_epi16(columns[q], all)));
      }
    }
    const std::int64_t width = std::min(kHalf, c.width - begin);
    TT_UNROLLED for (int r = 0; r < R; ++r) {
      const __m256i pairs = _mm256_hadd_epi32(sums[r][0], sums[r][1]);  // columns 0 1 4 5 2 3 6 7
      const __m256i bias = _mm256_set1_epi32(rows.bias[first + r]);
      const __m256 sum =
          _mm256_cvtepi32_ps(_mm256_sub_epi32(_mm256_permute4x64_epi64(pairs, 0xD8), bias));
      float* to = c.y + (first + r) * c.ldy + begin;
      if (width == kHalf) {
        const __m256 scale = _mm256_mul_ps(_mm256_set1_ps(rows.scales[first + r]),
                                           _mm256_loadu_ps(c.scales + begin));
        _mm256_storeu_ps(to, _mm256_mul_ps(sum, scale));
      } else {
        float row[kHalf];
        _mm256_storeu_ps(row, sum);
        for (std::int64_t j = 0; j < width; ++j)
          to[j] = row[j] * (rows.scales[first + r] * c.scales[begin + j]);
      }
    }
  }
};

#endif

struct Any : InShorts {
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
      c.y[first * c.ldy + j] =
          static_cast<float>(sums[j] - rows.bias[first]) * (rows.scales[first] * c.scales[j]);
  }
};

// Rows [begin, end) times P panels, in tiles of `height` rows, at most R, and a lower one.
template <class Tile, int P, int R>
void rows_of(std::int64_t height, std::int64_t begin, std::int64_t end,
             const Rows<typename Tile::Number>& rows, const Columns& c) {
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
void columns_of(std::int64_t height, std::int64_t count, std::int64_t n,
                const Rows<typename Tile::Number>& rows, Columns c) {
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

constexpr std::int64_t kBlock =
    264;  // rows that are rounded together: they stay in the second-level cache

// Rounds the rows of a tile. The factors of all are found first: none waits for that of the row
// before.
template <class Tile>
void round_rows(std::int64_t k, std::int64_t rows, const float* x, typename Tile::Number* to,
                std::int32_t* bias, float* scales) {
  float factors[Tile::kRows];
  for (std::int64_t r = 0; r < rows; ++r) factors[r] = Tile::factor_of(k, x + r * k, scales + r);
  for (std::int64_t r = 0; r < rows; ++r) {
    const Rounded<typename Tile::Number> row{to + r * kInt8Depth, rows * kInt8Depth, bias + r};
    if (factors[r] == 0) put_zeros(k, row);
    else Tile::round_row(k, x + r * k, factors[r], row);
  }
}

template <class Tile>
void int8_product(const Int8Product& k) {
  using Number = typename Tile::Number;
  static thread_local std::vector<Number> numbers;
  const std::int64_t groups = int8_groups(k.w.rows), ld = groups * kInt8Depth;
  std::int32_t bias[kBlock];
  float scales[kBlock];
  numbers.resize(
      std::max(numbers.size(), static_cast<std::size_t>(std::min(kBlock, k.y.rows) * ld)));
  for (std::int64_t begin = 0; begin < k.y.rows; begin += kBlock) {
    const std::int64_t count = std::min(kBlock, k.y.rows - begin);
    const std::int64_t tiles = (count + Tile::kRows - 1) / Tile::kRows,
                       height = (count + tiles - 1) / tiles;
    for (std::int64_t first = 0; first < count; first += height)
      round_rows<Tile>(k.w.rows, std::min(height, count - first),
                       k.x.floats() + (begin + first) * k.w.rows, numbers.data() + first * ld,
                       bias + first, scales + first);
    columns_of<Tile>(height, count, k.w.columns, Rows<Number>{numbers.data(), ld, bias, scales},
                     Columns{groups, k.w.as<std::uint8_t>(), k.w.scales, 0,
                             k.y.floats() + begin * k.w.columns, k.w.columns});
  }
}

// Tiles (cpu/amx_product.h) of rows, and rows of tiles of sums, in plain C++. 64 numbers of a row
// lie together, and the next 64 kTileBytes further.
struct PlainTiles : InShorts {
  static void round_row(std::int64_t k, const float* x, float factor, std::byte* to,
                        std::int32_t* bias) {
    for (std::int64_t c = 0; c < k || c % kTileRow != 0; ++c) {
      const auto q = c < k ? static_cast<std::int32_t>(std::nearbyint(x[c] * factor)) : 0;
      to[c / kTileRow * kTileBytes + c % kTileRow] = static_cast<std::byte>(q);
      *bias += q * kInt8Zero;
    }
  }
  // y [rows, width] of the sums [rows, kInt8Columns] of a tile.
  static void scale(std::int64_t rows, const std::int32_t* sums, const std::int32_t* bias,
                    const float* of_rows, const Columns& c) {
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t j = 0; j < c.width; ++j)
        c.y[r * c.ldy + j] =
            static_cast<float>(sums[r * kInt8Columns + j] - bias[r]) * (of_rows[r] * c.scales[j]);
  }
};

#if defined(__x86_64__)

#define TT_TILES __attribute__((target("avx512f,avx512bw,avx512vnni")))

struct VectorTiles : Vnni {
  TT_TILES static void round_row(std::int64_t k, const float* x, float factor, std::byte* to,
                                 std::int32_t* bias) {
    // Packing leaves the fours of 64 numbers in the order 0 4 8 12 1 5 9 13 ...
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m512i total = _mm512_setzero_si512();
    for (; k > 0; k -= kTileRow, x += kTileRow, to += kTileBytes) {
      const std::uint64_t there = k < kTileRow ? (std::uint64_t{1} << k) - 1 : ~std::uint64_t{0};
      const auto round = [&](int i) TT_TILES {
        const auto some = static_cast<__mmask16>(there >> (16 * i));
        return _mm512_cvtps_epi32(
            _mm512_mul_ps(_mm512_maskz_loadu_ps(some, x + 16 * i), _mm512_set1_ps(factor)));
      };
      const __m512i bytes = _mm512_permutexvar_epi32(
          order, _mm512_packs_epi16(_mm512_packs_epi32(round(0), round(1)),
                                    _mm512_packs_epi32(round(2), round(3))));
      total = _mm512_dpbusd_epi32(total, _mm512_set1_epi8(1), bytes);
      _mm512_store_si512(to, bytes);
    }
    *bias = _mm512_reduce_add_epi32(total) * kInt8Zero;
  }
  TT_TILES static void scale(std::int64_t rows, const std::int32_t* sums, const std::int32_t* bias,
                             const float* of_rows, const Columns& c) {
    const auto some = static_cast<__mmask16>((1u << c.width) - 1);
    const __m512 of_columns = _mm512_maskz_loadu_ps(some, c.scales);
    for (std::int64_t r = 0; r < rows; ++r) {
      const __m512i sum =
          _mm512_sub_epi32(_mm512_load_si512(sums + r * kInt8Columns), _mm512_set1_epi32(bias[r]));
      const __m512 factor = _mm512_mul_ps(_mm512_set1_ps(of_rows[r]), of_columns),
                   y = _mm512_mul_ps(_mm512_cvtepi32_ps(sum), factor);
      if (c.width == kInt8Columns) _mm512_storeu_ps(c.y + r * c.ldy, y);
      else _mm512_mask_storeu_ps(c.y + r * c.ldy, some, y);
    }
  }
};

#endif

template <class Numbers>
struct Int8Sums {
  const std::int32_t* bias;  // of each row
  const float* scales;       // of each row
  ConstMatrix w;
  Matrix y;  // as many rows
  alignas(kTileRow) mutable std::int32_t sums[4][kTileRows * kInt8Columns] = {};

  template <class Amx, int Sums, int Left, int Right>
  static void add() {
    Amx::template add_fours<Sums, Left, Right>();
  }
  template <class Amx, int Tile>
  void begin(std::int64_t, std::int64_t, std::int64_t) const {
    Amx::template zero<Tile>();
  }
  void ask_for(std::int64_t row, std::int64_t panel) const {
    __builtin_prefetch(y.floats() + row * y.columns + panel * kInt8Columns, 1);
  }
  template <class Amx, int Tile>
  void end(std::int64_t row, std::int64_t panel, std::int64_t rows) const {
    Amx::template store<Tile>(sums[Tile], kTileRow);
    const std::int64_t first = panel * kInt8Columns;
    Numbers::scale(rows, sums[Tile], bias + row, scales + row,
                   {0, nullptr, w.scales + first, std::min(kInt8Columns, w.columns - first),
                    y.floats() + row * y.columns + first, y.columns});
  }
};

// Rounds up to kTileRows rows [rows, k], whose tiles begin at `to`.
template <class Numbers>
void round_tile(std::int64_t k, std::int64_t rows, const float* x, std::byte* to,
                std::int32_t* bias, float* scales) {
  float factors[kTileRows];
  for (std::int64_t r = 0; r < rows; ++r) factors[r] = Numbers::factor_of(k, x + r * k, scales + r);
  for (std::int64_t r = 0; r < rows; ++r) {
    std::byte* row = to + r * kTileRow;
    bias[r] = 0;
    if (factors[r] == 0)
      for (std::int64_t c = 0; c < k; c += kTileRow)
        std::memset(row + c / kTileRow * kTileBytes, 0, kTileRow);
    else Numbers::round_row(k, x + r * k, factors[r], row, bias + r);
  }
}

template <class Amx, class Numbers>
void int8_amx(const Int8Product& k) {
  static thread_local amx::Lines tiles;
  static_assert(kStep == kTileRow);
  const std::int64_t groups = int8_groups(k.w.rows), steps = amx::steps_of(groups),
                     most = std::min(amx::block_rows(steps), kBlock);
  std::int32_t bias[kBlock];
  float scales[kBlock];
  for (std::int64_t begin = 0; begin < k.y.rows; begin += most) {
    const std::int64_t count = std::min(most, k.y.rows - begin);
    std::byte* x = amx::take(tiles, (count + kTileRows - 1) / kTileRows * steps * kTileBytes);
    for (std::int64_t r = 0; r < count; r += kTileRows)
      round_tile<Numbers>(k.w.rows, std::min(kTileRows, count - r),
                          k.x.floats() + (begin + r) * k.w.rows, amx::place_of(x, steps, r, 0),
                          bias + r, scales + r);
    amx::multiply<Amx>(
        count, groups, x, int8_panels(k.w.columns),
        [&](std::int64_t j) { return k.w.as<std::byte>() + j * groups * kStep; },
        Int8Sums<Numbers>{bias, scales, k.w, k.y.rows_from(begin, count)});
  }
}

}  // namespace

Int8ProductVariant emulated_int8_amx() {
  return {Instructions::amx, "AMX INT8, emulated", int8_amx<EmulatedAmx, PlainTiles>};
}

std::vector<Int8ProductVariant> int8_products() {
  std::vector<Int8ProductVariant> known;
  if (emulates_amx()) known.push_back(emulated_int8_amx());
#if defined(__x86_64__)
  // Tiles of few rows take as long to load their panels; the bits are the same.
  constexpr std::int64_t kFewRows = 8;
  if (!emulates_amx() && Amx::available() && __builtin_cpu_supports("avx512vnni"))
    known.push_back({Instructions::amx, "AMX INT8", [](const Int8Product& k) {
                       if (k.y.rows < kFewRows) int8_product<Vnni>(k);
                       else int8_amx<Amx, VectorTiles>(k);
                     }});
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni"))
    known.push_back({Instructions::avx512, "AVX-512 VNNI", int8_product<Vnni>});
  if (__builtin_cpu_supports("avx2"))
    known.push_back({Instructions::avx2, "AVX2", int8_product<Avx2>});
#elif defined(__aarch64__)
  for (const auto& v : arm_int8_products()) known.push_back(v);
#endif
  known.push_back({Instructions::any, "any", int8_product<Any>});
  return known;
}

const Int8ProductVariant& best_int8_product() {
  static const Int8ProductVariant best = [] {
    const auto known = int8_products();
    return *std::find_if(known.begin(), known.end(),
                         [](const auto& v) { return v.needs <= most_instructions(); });
  }();
  return best;
}

void CpuBackend::int8_product(const Int8Product& k) const { best_int8_product().run(k); }

void CpuBackend::int8_columns(const Int8Columns& k) const {
  const std::int64_t groups = int8_groups(k.w.rows);
  for (std::int64_t r = 0; r < k.y.rows; ++r) {
    const std::int64_t j = k.columns[r];
    if (j < 0) {
      std::fill(k.y.floats() + r * k.w.rows, k.y.floats() + (r + 1) * k.w.rows, 0.0f);
      continue;
    }
    const std::uint8_t* from =
        k.w.as<std::uint8_t>() +
        (j / kInt8Columns * groups * kInt8Columns + j % kInt8Columns) * kInt8Depth;
    for (std::int64_t i = 0; i < k.w.rows; ++i)
      k.y.floats()[r * k.w.rows + i] =
          static_cast<float>(from[i / kInt8Depth * kStep + i % kInt8Depth] - kInt8Zero) *
          k.w.scales[j];
  }
}

}  // namespace tt
