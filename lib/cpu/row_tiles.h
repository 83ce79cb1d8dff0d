// The work of row_product.cc for one instruction set. It is included there once for each, in
// separate namespaces (hence no #pragma once), with
//   TT_TARGET  the function attribute for the instruction set
//   TT_BYTES   bytes per vector
//   TT_NEEDS   the same as an Instructions
//   TT_NAME    the name of the instruction set
//   TT_ROWS    rows of a tile, such that its sums, two vectors per row, and the operands fit the
//              registers
//   TT_TERMS   what a term is, undefined in the end: TT_FLOATS; in the bits of a float a pair
//              of bfloat16, TT_PAIRS or, where the processor multiplies such, TT_PAIRS_AT_ONCE;
//              there also four numbers of eight bits, TT_FOURS, whose sums are whole numbers of
//              32 bits
//   TT_IN_TWOS defined where an instruction multiplies two rows and columns, of two terms each

#if !defined(TT_FLOATS)
#define TT_FLOATS 0
#define TT_PAIRS 1
#define TT_PAIRS_AT_ONCE 2
#define TT_FOURS 3
#endif
#if TT_TERMS == TT_FOURS
using Vector = std::int32_t __attribute__((vector_size(TT_BYTES)));
#else
using Vector = float __attribute__((vector_size(TT_BYTES)));
#endif
#if TT_TERMS == TT_FLOATS
#define TT_ADD(sums, factor, terms) sums += (factor) * (terms)
#elif TT_TERMS == TT_PAIRS_AT_ONCE && defined(__aarch64__)
#define TT_ADD(sums, factor, terms) \
  sums = (Vector)vbfdotq_lane_f32((float32x4_t)(sums), (bfloat16x8_t)(terms), \
                                  ((bfloat16x4_t)float32x2_t{factor, 0}), 0)
#define TT_ADD_TWOS(sums, rows, columns) \
  sums = (Vector)vbfmmlaq_f32((float32x4_t)(sums), (bfloat16x8_t)(columns), (bfloat16x8_t)(rows))
#elif TT_TERMS == TT_FOURS && defined(TT_IN_TWOS)
#define TT_ADD(sums, factor, terms) \
  sums = (Vector)vusdotq_lane_s32((int32x4_t)(sums), (uint8x16_t)(terms), \
                                  ((int8x8_t)float32x2_t{factor, 0}), 0)
#define TT_ADD_TWOS(sums, rows, columns) \
  sums = (Vector)vusmmlaq_s32((int32x4_t)(sums), (uint8x16_t)(columns), (int8x16_t)(rows))
#elif TT_TERMS == TT_FOURS
#define TT_ADD(sums, factor, terms) \
  sums = (Vector)vdotq_lane_s32((int32x4_t)(sums), (int8x16_t)((uint8x16_t)(terms) ^ 0x80), \
                                ((int8x8_t)float32x2_t{factor, 0}), 0)
#elif TT_TERMS == TT_PAIRS_AT_ONCE
#define TT_ADD(sums, factor, terms) \
  sums = (Vector)_mm512_dpbf16_ps((__m512)(sums), (__m512bh)_mm512_set1_ps(factor), \
                                  (__m512bh)(terms))
#else
// In the order of VDPBF16PS: the second numbers of the pairs, then the first.
using Words = std::uint32_t __attribute__((vector_size(TT_BYTES)));
#define TT_ADD(sums, factor, terms) \
  sums += upper_half(std::bit_cast<std::uint32_t>(factor)) * (Vector)((Words)(terms)&0xFFFF0000u); \
  sums += upper_half(std::bit_cast<std::uint32_t>(factor) << 16) * (Vector)((Words)(terms) << 16)
#endif
constexpr std::int64_t kLanes = TT_BYTES / sizeof(float);
constexpr std::int64_t kPanel = 2 * kLanes;  // columns of a tile
constexpr std::int64_t kTile = TT_ROWS;
// Rows and columns of B packed together; they fit the L2 cache, and with AVX2 a panel of them fits
// the L1 cache.
constexpr std::int64_t kDepth = TT_BYTES == 64 ? 512 : 256, kBlock = 256;
static_assert(kBlock % kPanel == 0 && (kPanel == 2 * kPanelColumns || kPanelColumns % kPanel == 0));

// Where the kPanel columns of a tile are: two vectors, `half` floats apart, in each row. What is
// `ahead` floats further is read soon; 0: nothing is.
struct Columns {
  const float* at;
  std::int64_t ld, half, ahead;
};

// Memory that is asked for while a tile is computed, since the rows of A and C can be pages apart,
// where no processor looks ahead. In long tiles a part of it is at a time: loads that the tile
// waits for would queue behind all of it at once.
struct Next {
  const float* factors;  // `lines` lines, `apart` floats apart; for the row after, `row` floats on
  std::int64_t lines, apart, row;
  const float* sums;  // those of the tile to the right, or of the first one below
};

// y [Rows, kPanel] = (add ? y : 0) + x w [depth, kPanel], where x is [Rows, depth] of row stride
// ldx, or its transpose [depth, Rows] of that if Transposed. Every element is its own chain of
// sums, in the order of w's rows.
struct Tile {
  std::int64_t depth;
  const float* x;
  std::int64_t ldx;
  Columns w;
  bool add;
  float* y;
  std::int64_t ldy;
};
template <bool Transposed, int Rows>
TT_TARGET void tile(const Tile& t, Next next) {
  const auto [depth, x, ldx, of, add, y, ldy] = t;
  Vector sums[Rows][2] = {};
  if (add)
    for (int r = 0; r < Rows; ++r)
      for (int h = 0; h < 2; ++h) std::memcpy(&sums[r][h], y + r * ldy + h * kLanes, TT_BYTES);
  const float *w = of.at, *half = of.at + of.half;
  // At the end of each part the processor mispredicts a branch.
  const std::int64_t parts = std::clamp<std::int64_t>(depth / 128, 1, Rows);
  std::int64_t i = 0, row = 0;
  for (std::int64_t part = 1; part <= parts; ++part) {
    for (; row < part * Rows / parts; ++row, next.factors += next.row, next.sums += ldy) {
      for (std::int64_t l = 0; l < next.lines; ++l)
        __builtin_prefetch(next.factors + l * next.apart, 0, 2);
      __builtin_prefetch(next.sums, 1);
      if constexpr (TT_BYTES == 64) __builtin_prefetch(next.sums + kLanes, 1);
    }
    for (const std::int64_t end = part * depth / parts; i < end; ++i, w += of.ld, half += of.ld) {
      Vector left, right;
      std::memcpy(&left, w, TT_BYTES);
      std::memcpy(&right, half, TT_BYTES);
      __builtin_prefetch(w + of.ahead, 0, 2);
      if constexpr (TT_BYTES == 64) __builtin_prefetch(half + of.ahead, 0, 2);
      for (int r = 0; r < Rows; ++r) {
        const float factor = Transposed ? x[i * ldx + r] : x[r * ldx + i];
        TT_ADD(sums[r][0], factor, left);
        TT_ADD(sums[r][1], factor, right);
      }
    }
  }
  for (int r = 0; r < Rows; ++r)
    for (int h = 0; h < 2; ++h) std::memcpy(y + r * ldy + h * kLanes, &sums[r][h], TT_BYTES);
}

#if defined(TT_IN_TWOS)
constexpr std::int64_t kLeastInTwos = 4;  // rows, from which on it takes fewer instructions
// Four columns of a row and of the next become two columns of both, and the two others.
inline void zip(Vector& a, Vector& b) {
  const Vector low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  b = __builtin_shufflevector(a, b, 2, 6, 3, 7), a = low;
}
inline void unzip(Vector& a, Vector& b) {
  const Vector even = __builtin_shufflevector(a, b, 0, 2, 4, 6);
  b = __builtin_shufflevector(a, b, 1, 3, 5, 7), a = even;
}
// A tile whose x is as gather_in_twos() writes it, with the bits of tile(): two terms are added one
// after the other, each as BFDOT does (Arm Architecture Reference Manual, BFMMLA).
template <int Rows>
TT_TARGET void tile_in_twos(const Tile& t, Next next) {
  const auto [depth, x, ldx, of, add, y, ldy] = t;
  constexpr int kEven = Rows + Rows % 2;
  Vector sums[kEven][2] = {};
  for (int r = 0; r < kEven; r += 2)
    for (int h = 0; h < 2; ++h) {
      if (add) std::memcpy(&sums[r][h], y + r * ldy + h * kLanes, TT_BYTES);
      if (add && r + 1 < Rows)
        std::memcpy(&sums[r + 1][h], y + (r + 1) * ldy + h * kLanes, TT_BYTES);
      zip(sums[r][h], sums[r + 1][h]);
    }
  const float *w = of.at, *half = of.at + of.half, *rows = x;
  std::int64_t i = 0;
  for (std::int64_t row = 1; row <= Rows; ++row, next.factors += next.row, next.sums += ldy) {
    for (std::int64_t l = 0; l < next.lines; ++l)
      __builtin_prefetch(next.factors + l * next.apart, 0, 2);
    __builtin_prefetch(next.sums, 1);
    for (const std::int64_t end = row * depth / Rows - 1; i < end;
         i += 2, w += 2 * of.ld, half += 2 * of.ld, rows += 2 * kEven) {
      Vector columns[4];
      for (int v = 0; v < 4; ++v)
        std::memcpy(&columns[v], (v < 2 ? w : half) + v % 2 * of.ld, TT_BYTES);
      for (int v = 0; v < 4; v += 2) {
        __builtin_prefetch(w + v / 2 * of.ld + of.ahead, 0, 2);
        zip(columns[v], columns[v + 1]);
      }
      for (int r = 0; r < Rows; r += 2) {
        Vector two;
        std::memcpy(&two, rows + 2 * r, TT_BYTES);
        for (int v = 0; v < 4; ++v) TT_ADD_TWOS(sums[r + v % 2][v / 2], two, columns[v]);
      }
    }
  }
  Vector last[2] = {};
  for (int h = 0; h < 2 && i < depth; ++h) std::memcpy(&last[h], h == 0 ? w : half, TT_BYTES);
  for (int r = 0; r < Rows; ++r)
    for (int h = 0; h < 2; ++h) {
      if (r % 2 == 0) unzip(sums[r][h], sums[r + 1][h]);
      if (i < depth) TT_ADD(sums[r][h], rows[r / 2 * 4 + r % 2 * 2], last[h]);
      std::memcpy(y + r * ldy + h * kLanes, &sums[r][h], TT_BYTES);
    }
}
#else
constexpr std::int64_t kLeastInTwos = kTile + 1;
#endif
// Terms and rows of A from its element `from` on, as [terms / 2][rows / 2] matrices of two rows of
// two terms. Of an odd number the last is there twice, and its products are not used.
inline void gather_in_twos(bool transposed, std::int64_t rows, std::int64_t terms,
                           const float* from, std::int64_t ld, float* to) {
  const std::int64_t along = transposed ? ld : 1, across = transposed ? 1 : ld;
  for (std::int64_t t = 0; t < terms; t += 2)
    for (std::int64_t r = 0; r < rows; r += 2, to += 4) {
      const float* at = from + t * along + r * across;
      const std::int64_t row = r + 1 < rows ? across : 0;
      if (!transposed && t + 1 < terms) {
        std::memcpy(to, at, 2 * sizeof(float));
        std::memcpy(to + 2, at + row, 2 * sizeof(float));
      } else {
        const std::int64_t term = t + 1 < terms ? along : 0;
        to[0] = at[0], to[1] = at[term], to[2] = at[row], to[3] = at[row + term];
      }
    }
}

template <bool Transposed, int Rows>
void tile_of(std::int64_t rows, const Tile& t, const Next& next) {
#if defined(TT_IN_TWOS)
  if constexpr (Rows >= kLeastInTwos)
    if (rows == Rows) return tile_in_twos<Rows>(t, next);
#endif
  if (rows == Rows) tile<Transposed, Rows>(t, next);
  else if constexpr (Rows > 1) tile_of<Transposed, Rows - 1>(rows, t, next);
}

// Columns [begin, end) of C = (add ? C : 0) + op(A) op(B), of the terms [i, i + depth) of each sum.
// `height`: rows of a tile. panel(j) is where the columns from j on lie; the last may be padded.
template <class Panel>
inline void multiply(const Product& p, std::int64_t height, std::int64_t begin, std::int64_t end,
                     std::int64_t i, std::int64_t depth, bool add, const Panel& panel) {
  alignas(64) float edge[kTile * kPanel] = {}, gathered[kDepth * kTile];
  const float* a = p.a.floats();
  float* c = p.c.floats();
  const std::int64_t rows = p.m(), columns = p.n(), lda = p.a.stride, ldc = p.c.stride;
  // The columns of a transposed A are read where they are, unless its rows are so far apart that
  // their lines compete for few places of the second-level cache.
  const bool near = p.transpose_a && lda % 512 != 0;
  // The lines of rows that are 4 KiB apart compete for the same eight places of the first-level
  // cache.
  const bool compete = !p.transpose_a && kTile > 8 && lda % 1024 == 0 && depth <= kDepth;
  const std::int64_t panels = (end - begin + kPanel - 1) / kPanel,
                     part = (depth + panels - 1) / panels;
  // The factors of the rows below are divided among the tiles of these.
  const auto next_of = [&](std::int64_t r, std::int64_t below, std::int64_t j) -> Next {
    const float* sums = j + kPanel < end ? c + r * ldc + j + kPanel : c + below * ldc + begin;
    const std::int64_t first = i + (j - begin) / kPanel * part;
    if (below >= rows || (p.transpose_a && !near)) return {a, 0, 0, 0, sums};
    if (!near) return {a + below * lda + first, (part + 15) / 16, 16, lda, sums};
    const std::int64_t lines = (part + kTile - 1) / kTile;
    return {a + first * lda + below + kTile - 1, lines, lda, lines * lda, sums};
  };
  for (std::int64_t r = 0; r < rows; r += height) {
    const std::int64_t m = std::min(height, rows - r);
    const float* x = gathered;
    std::int64_t ldx = kTile;
    if (kLeastInTwos <= kTile && m >= kLeastInTwos) {
      gather_in_twos(p.transpose_a, m, depth, p.transpose_a ? a + i * lda + r : a + r * lda + i,
                     lda, gathered);
    } else if (near) {
      x = a + i * lda + r, ldx = lda;
    } else if (p.transpose_a) {
      // The columns of a tile are gathered, and those of the next asked for.
      for (std::int64_t t = 0; t < depth; ++t) {
        const float* from = a + (i + t) * lda + r;
        if (m == kTile) std::memcpy(gathered + t * kTile, from, kTile * sizeof(float));
        else std::copy(from, from + m, gathered + t * kTile);
        __builtin_prefetch(from + 2 * kTile, 0, 2);
      }
    } else if (compete) {
      for (std::int64_t q = 0; q < m; ++q)
        std::copy_n(a + (r + q) * lda + i, depth, gathered + q * depth);
      ldx = depth;
    } else {
      x = a + r * lda + i, ldx = lda;
    }
    for (std::int64_t j = begin; j < end; j += kPanel) {
      const std::int64_t width = std::min(kPanel, columns - j);
      float* to = c + r * ldc + j;
      const Next next = next_of(r, r + m, j);
      const auto one = [&](const Columns& b, float* y, std::int64_t ld) {
        const Tile t{depth, x, ldx, b, add, y, ld};
        if (p.transpose_a) tile_of<true, kTile>(m, t, next);
        else tile_of<false, kTile>(m, t, next);
      };
      if (width == kPanel) {
        one(panel(j), to, ldc);
        continue;
      }
      const auto bytes = static_cast<std::size_t>(width) * sizeof(float);
      for (std::int64_t q = 0; add && q < m; ++q)
        std::memcpy(edge + q * kPanel, to + q * ldc, bytes);
      one(panel(j), edge, kPanel);
      for (std::int64_t q = 0; q < m; ++q) std::memcpy(to + q * ldc, edge + q * kPanel, bytes);
    }
  }
}

// A block of B in panels: too large for the stack of a thread, which may be small (ulimit -s).
struct alignas(64) PackedBlock {
  float at[kDepth * kBlock];
};

inline void product(const Product& p) {
  thread_local const std::unique_ptr<PackedBlock> block(new PackedBlock);
  float* const packed = block->at;
  const std::int64_t m = p.m(), n = p.n(), k = p.k(), ldb = p.b.stride;
  const std::int64_t tiles = (m + kTile - 1) / kTile, height = p.transpose_a ? kTile
                                                               : tiles > 0 ? (m + tiles - 1) / tiles
                                                                           : 1;
  const bool in_place =
      !p.transpose_b && tiles == 1;  // a panel used by a single tile is not worth packing
  for (std::int64_t begin = 0; begin < n; begin += kBlock)
    for (std::int64_t i = 0; i < k; i += kDepth) {
      const std::int64_t depth = std::min(kDepth, k - i), end = std::min(n, begin + kBlock);
      const auto of_b = [&](std::int64_t j) {
        return p.b.floats() + (p.transpose_b ? j * ldb + i : i * ldb + j);
      };
      // A B that is not transposed is packed row by row, as it comes from memory.
      const bool by_rows = !p.transpose_b && !in_place;
      const std::int64_t whole = by_rows ? begin + (end - begin) / kPanel * kPanel : begin;
      for (std::int64_t t = 0; by_rows && t < depth; ++t)
        for (std::int64_t j = begin; j < whole; j += kPanel) {
          const float* from = of_b(j) + t * ldb;
          for (std::int64_t h = 0; h < kPanel; h += 16) __builtin_prefetch(from + 4 * ldb + h);
          std::memcpy(packed + (j - begin) * kDepth + t * kPanel, from, kPanel * sizeof(float));
        }
      for (std::int64_t j = whole; j < end; j += kPanel)
        if (!in_place || j + kPanel > n)
          pack_panel<kPanel>(depth, std::min(kPanel, n - j), of_b(j), ldb, p.transpose_b,
                             packed + (j - begin) * kDepth);
      const auto panel = [&](std::int64_t j) -> Columns {
        if (in_place && j + kPanel <= n) return {of_b(j), ldb, kLanes, 0};
        return {packed + (j - begin) * kDepth, kPanel, kLanes, 0};
      };
      multiply(p, height, begin, end, i, depth, i > 0 || p.accumulate, panel);
    }
  for (std::int64_t r = 0; k == 0 && !p.accumulate && r < m; ++r)
    std::fill_n(p.c.floats() + r * p.c.stride, n, 0.0f);
}

// B in the panels of tensor/panels.h: a tile has one of them, a part of one, or two. All weights of
// a model are more than the cache holds, so a block of them comes from memory each time, while the
// one before is multiplied; the second-level cache has both.
inline void product_packed(const Product& p) {
  const float* panels = p.b.floats();
  const std::int64_t m = p.m(), n = p.n(), k = p.k();
  const std::int64_t tiles = (m + kTile - 1) / kTile,
                     height = tiles > 0 ? (m + tiles - 1) / tiles : 1;
  // Panels used by several tiles are split, so that they stay in the cache from one to the next.
  const std::int64_t columns = tiles > 1 ? kBlock / 2 : (n + kPanel - 1) / kPanel * kPanel,
                     most = tiles > 1 || m >= kLeastInTwos ? kDepth : k;
  for (std::int64_t begin = 0; begin < n; begin += columns)
    for (std::int64_t i = 0; i < k; i += most) {
      const std::int64_t ahead = tiles == 1
                                     ? std::max(kPanel, kPanelColumns) * k  // the next panels
                                 : i + most < k ? most * kPanelColumns
                                                : columns * k - i * kPanelColumns;
      const auto panel = [&](std::int64_t j) -> Columns {
        const std::int64_t half = kPanel <= kPanelColumns ? kLanes : kPanelColumns * k;
        return {column_of(panels, k, j) + i * kPanelColumns, kPanelColumns, half, ahead};
      };
      multiply(p, height, begin, std::min(n, begin + columns), i, std::min(most, k - i), i > 0,
               panel);
    }
  for (std::int64_t r = 0; k == 0 && r < m; ++r)
    std::fill_n(p.c.floats() + r * p.c.stride, n, 0.0f);
}

#if TT_TERMS != TT_FOURS
inline constexpr ProductVariant kVariant{TT_NEEDS, TT_NAME, product, product_packed};
#endif

#undef TT_TERMS
#undef TT_ADD
#undef TT_ADD_TWOS
