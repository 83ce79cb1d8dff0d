// Products in bfloat16 by tiles. Each element is a chain of sums over stretches of 32 terms, in
// which even and odd terms are added apart (cpu/amx.h): bits of its own, the same for any number of
// rows and columns.
//
// Factors of either type become tiles in one pass. A tile has 16 rows of 16 words, each of two
// numbers that are neighbours along the sum: along the rows of A, and down the columns of B.
#include "cpu/amx_product.h"
#include "cpu/cpu.h"
#include "cpu/transpose.h"
#include "tensor/bfloat16.h"
#include "tensor/panels.h"

namespace tt {
namespace {

using Word = std::uint32_t;
constexpr std::int64_t kWord = sizeof(Word), kTerms = kTileRow / sizeof(Bfloat16);
static_assert(kPanelColumns * kWord == kTileRow && kPanelColumns == kTileRows);

// Terms of a sum that are added before the next: two panels of so many stay in the first-level
// cache. A multiple of a tile's, so that no bit depends on it.
inline std::int64_t stretch_of(std::int64_t k) {
  constexpr std::int64_t kMost = 768;
  const std::int64_t parts = (k + kMost - 1) / kMost;
  return ((k + parts - 1) / parts + kTerms - 1) / kTerms * kTerms;
}

// The sums are those of C, some columns of which the panels have.
struct Pairs {
  float* c;
  std::int64_t ldc, columns, height;                                     // rows of a tile
  bool accumulate;                                                       // to what is there
  alignas(kTileRow) mutable float edge[kTileRows * kPanelColumns] = {};  // of a part of a tile

  template <class Amx, int Sums, int Left, int Right>
  static void add() {
    Amx::template add_pairs<Sums, Left, Right>();
  }
  template <class Amx, int Tile>
  void begin(std::int64_t row, std::int64_t panel, std::int64_t rows) const {
    const std::int64_t width = width_of(panel);
    float* from = c + row * ldc + panel * kPanelColumns;
    if (!accumulate) {
      Amx::template zero<Tile>();
    } else if (width == kPanelColumns && rows == height) {
      Amx::template load<Tile>(from, ldc * kWord);
    } else {
      for (std::int64_t r = 0; r < rows; ++r)
        std::copy_n(from + r * ldc, width, edge + r * kPanelColumns);
      Amx::template load<Tile>(edge, kTileRow);
    }
  }
  template <class Amx, int Tile>
  void end(std::int64_t row, std::int64_t panel, std::int64_t rows) const {
    const std::int64_t width = width_of(panel);
    float* to = c + row * ldc + panel * kPanelColumns;
    if (width == kPanelColumns && rows == height) {
      Amx::template store<Tile>(to, ldc * kWord);
      return;
    }
    Amx::template store<Tile>(edge, kTileRow);
    for (std::int64_t r = 0; r < rows; ++r)
      std::copy_n(edge + r * kPanelColumns, width, to + r * ldc);
  }

  void ask_for(std::int64_t row, std::int64_t panel) const {
    __builtin_prefetch(c + row * ldc + panel * kPanelColumns, 1);
  }

 private:
  std::int64_t width_of(std::int64_t panel) const {
    return std::min(kPanelColumns, columns - panel * kPanelColumns);
  }
};

// 16 numbers in bfloat16, and in words.
using Halves = Bfloat16 __attribute__((vector_size(kTileRows * sizeof(Bfloat16))));
using Words = Word __attribute__((vector_size(kTileRow)));

inline Halves rounded(const Bfloat16* from) {
  Halves x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
// As nearest_bfloat16() rounds.
inline Halves rounded(const float* from) {
  Words x;
  std::memcpy(&x, from, sizeof x);
  const Words nearest = (x + 0x7FFF + (x >> 16 & 1)) >> 16;
  return __builtin_convertvector((x & 0x7FFFFFFF) > 0x7F800000 ? Words{} + 0x7FC0 : nearest,
                                 Halves);
}

// The first `n` of them, and zeros.
template <class Number>
[[gnu::always_inline]] inline Halves rounded(const Number* from, std::int64_t n) {
  if (n >= kTileRows) return rounded(from);
  Number some[kTileRows] = {};
  for (std::int64_t i = 0; i < n; ++i) some[i] = from[i];
  return rounded(some);
}

// Rows [row, row + rows) and columns [column, column + columns) of a factor, at most 16 by 32, the
// terms of whose sums are along its rows; zeros beyond the last.
template <class Number>
void along(const ConstMatrix& m, std::int64_t row, std::int64_t rows, std::int64_t column,
           std::int64_t columns, Word* tile) {
  const Number* from = m.as<Number>() + row * m.stride + column;
  for (std::int64_t r = 0; r < rows; ++r, from += m.stride, tile += kTileRows) {
    __builtin_prefetch(from + kTileRows * m.stride);  // the next tile's
    const Halves x[2] = {rounded(from, columns), rounded(from + kTileRows, columns - kTileRows)};
    std::memcpy(tile, x, sizeof x);
  }
}

// At most 32 rows and 16 columns of a factor whose columns have the terms.
template <class Number>
void across(const ConstMatrix& m, std::int64_t row, std::int64_t rows, std::int64_t column,
            std::int64_t columns, Word* tile) {
  const Number* from = m.as<Number>() + row * m.stride + column;
  for (std::int64_t r = 0; r < kTerms; r += 2, tile += kTileRows) {
    const auto words = [&](std::int64_t of) {
      return __builtin_convertvector(rounded(from + of * m.stride, of < rows ? columns : 0), Words);
    };
    const Words x = words(r) | words(r + 1) << 16;
    std::memcpy(tile, &x, sizeof x);
  }
}

// Tiles of op(A) or op(B), as a product reads them: [(end - begin) / 16][depth / 32], of its rows
// or columns [begin, end) and terms [i, i + depth). `Left`: whether the terms are along the rows of
// a tile; `terms_in_rows`: whether they are along those of the factor, which is read by its rows.
template <bool Left, class Number>
void lay_out(const ConstMatrix& m, bool terms_in_rows, std::int64_t begin, std::int64_t end,
             std::int64_t i, std::int64_t depth, std::byte* tiles) {
  alignas(kTileRow) Word turned[kTileRows * kTileRows] = {};
  const std::int64_t across_it = (end - begin + kTileRows - 1) / kTileRows,
                     along_it = (depth + kTerms - 1) / kTerms;
  for (std::int64_t q = 0; q < across_it * along_it; ++q) {
    const std::int64_t one = terms_in_rows ? q / along_it : q % across_it,
                       step = terms_in_rows ? q % along_it : q / across_it,
                       first = begin + one * kTileRows, width = std::min(kTileRows, end - first),
                       term = step * kTerms, terms = std::min(kTerms, depth - term);
    auto* to = reinterpret_cast<Word*>(tiles + (one * along_it + step) * kTileBytes);
    Word* tile = terms_in_rows == Left ? to : turned;
    if (terms_in_rows) along<Number>(m, first, width, i + term, terms, tile);
    else across<Number>(m, i + term, terms, first, width, tile);
    for (std::int64_t r = 0; tile == turned && r < kTileRows; r += 4)
      for (std::int64_t c = 0; c < kTileRows; c += vec::kWidth)
        vec::transpose_4(vec::kWidth, reinterpret_cast<float*>(turned) + c * kTileRows + r,
                         kTileRows, reinterpret_cast<float*>(to) + r * kTileRows + c, kTileRows);
  }
}
template <bool Left>
void lay_out(const ConstMatrix& m, bool terms_in_rows, std::int64_t begin, std::int64_t end,
             std::int64_t i, std::int64_t depth, std::byte* tiles) {
  if (m.type == ElementType::bfloat16)
    lay_out<Left, Bfloat16>(m, terms_in_rows, begin, end, i, depth, tiles);
  else lay_out<Left, float>(m, terms_in_rows, begin, end, i, depth, tiles);
}

// Columns [begin, end) of C = (add ? C : 0) + op(A) op(B), of terms [i, i + depth) of each sum.
template <class Amx, class Panel>
void multiply(const Product& p, std::int64_t begin, std::int64_t end, std::int64_t i,
              std::int64_t depth, bool add, const Panel& panel) {
  static thread_local amx::Lines tiles;
  const std::int64_t pairs = pairs_of(depth), steps = amx::steps_of(pairs),
                     most = amx::block_rows(steps), m = p.m(),
                     panels = (end - begin + kPanelColumns - 1) / kPanelColumns;
  for (std::int64_t first = 0; first < m; first += most) {
    const std::int64_t rows = std::min(most, m - first);
    std::byte* x = amx::take(tiles, (rows + kTileRows - 1) / kTileRows * steps * kTileBytes);
    lay_out<true>(p.a, !p.transpose_a, first, first + rows, i, depth, x);
    amx::multiply<Amx>(rows, pairs, x, panels, panel,
                       Pairs{p.c.floats() + first * p.c.stride + begin, p.c.stride, end - begin,
                             std::min(kTileRows, rows), add});
  }
}

// Sums of no terms are zeros.
void clear(const Product& p) {
  for (std::int64_t r = 0; !p.accumulate && r < p.m(); ++r)
    std::fill_n(p.c.floats() + r * p.c.stride, p.n(), 0.0f);
}

template <class Amx>
void product(const Product& p) {
  static thread_local amx::Lines packed;
  constexpr std::int64_t kColumns = 1024;  // which are packed together
  const std::int64_t n = p.n(), k = p.k();
  if (k == 0) return clear(p);
  const std::int64_t stretch = stretch_of(k);
  for (std::int64_t begin = 0; begin < n; begin += kColumns)
    for (std::int64_t i = 0; i < k; i += stretch) {
      const std::int64_t depth = std::min(stretch, k - i), end = std::min(n, begin + kColumns),
                         bytes = amx::steps_of(pairs_of(depth)) * kTileBytes;
      std::byte* w = amx::take(packed, (end - begin + kPanelColumns - 1) / kPanelColumns * bytes);
      lay_out<false>(p.b, p.transpose_b, begin, end, i, depth, w);
      multiply<Amx>(p, begin, end, i, depth, i > 0 || p.accumulate,
                    [&](std::int64_t j) { return w + j * bytes; });
    }
}

// B is in paired panels.
template <class Amx>
void product_packed(const Product& p) {
  const std::int64_t k = p.k(), pairs = pairs_of(k);
  if (k == 0) return clear(p);
  const std::int64_t stretch = stretch_of(k);
  const auto* panels = reinterpret_cast<const std::byte*>(p.b.floats());
  for (std::int64_t i = 0; i < k; i += stretch)
    multiply<Amx>(p, 0, p.n(), i, std::min(stretch, k - i), i > 0,
                  [&](std::int64_t j) { return panels + (j * pairs + i / 2) * kTileRow; });
}

template <class Amx>
constexpr ProductVariant variant(const char* name) {
  return {Instructions::amx, name, product<Amx>, product_packed<Amx>};
}

}  // namespace

ProductVariant emulated_paired_amx() { return variant<EmulatedAmx>("AMX BF16, emulated"); }

std::optional<ProductVariant> paired_amx() {
#if defined(__x86_64__)
  if (Amx::available()) return variant<Amx>("AMX BF16");
#endif
  return std::nullopt;
}

}  // namespace tt
