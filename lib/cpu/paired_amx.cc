// Products in bfloat16 by tiles. Each element is a chain of sums over stretches of 32 terms, in
// which even and odd terms are added apart (cpu/amx.h): bits of its own, the same for any number of
// rows and columns.
#include "cpu/amx_product.h"
#include "cpu/cpu.h"
#include "cpu/panel.h"
#include "cpu/transpose.h"
#include "tensor/panels.h"

namespace tt {
namespace {

constexpr std::int64_t kPair = sizeof(std::uint32_t);
static_assert(kPanelColumns * kPair == kTileRow && kPanelColumns == kTileRows);

// Pairs of a sum that are added before the next: two panels of so many stay in the first-level
// cache. A function of k alone, and a multiple of a tile's.
inline std::int64_t stretch_of(std::int64_t k) {
  constexpr std::int64_t kMost = 384;
  const std::int64_t parts = (k + kMost - 1) / kMost;
  return amx::steps_of((k + parts - 1) / parts) * kTileRows;
}

// The sums are those of C, some columns of which the panels have.
struct Pairs {
  float* c;
  std::int64_t ldc, columns;
  bool accumulate;                                                       // to what is there
  alignas(kTileRow) mutable float edge[kTileRows * kPanelColumns] = {};  // of a part of a panel

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
    } else if (width == kPanelColumns) {
      Amx::template load<Tile>(from, ldc * kPair);
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
    if (width == kPanelColumns) {
      Amx::template store<Tile>(to, ldc * kPair);
      return;
    }
    Amx::template store<Tile>(edge, kTileRow);
    for (std::int64_t r = 0; r < rows; ++r)
      std::copy_n(edge + r * kPanelColumns, width, to + r * ldc);
  }

 private:
  std::int64_t width_of(std::int64_t panel) const {
    return std::min(kPanelColumns, columns - panel * kPanelColumns);
  }
};

// Pairs [i, i + depth) of rows [first, first + rows) of op(A), as tiles.
void lay_out(const Product& p, std::int64_t first, std::int64_t rows, std::int64_t i,
             std::int64_t depth, std::byte* tiles) {
  const std::int64_t steps = amx::steps_of(depth), lda = p.a.stride;
  for (std::int64_t r = 0; !p.transpose_a && r < rows; ++r) {
    const float* from = p.a.floats() + (first + r) * lda + i;
    for (std::int64_t s = 0; s < steps; ++s) {
      std::byte* to = amx::place_of(tiles, steps, r, s);
      const std::int64_t n = std::min(kTileRows, depth - s * kTileRows);
      std::memcpy(to, from + s * kTileRows, static_cast<std::size_t>(n * kPair));
      std::memset(to + n * kPair, 0, static_cast<std::size_t>((kTileRows - n) * kPair));
    }
  }
  for (std::int64_t s = 0; p.transpose_a && s < steps; ++s)
    for (std::int64_t r = 0; r < rows; r += 4)
      for (std::int64_t q = 0; q < kTileRows; q += vec::kWidth) {
        // Pairs of columns of A become those of rows of a tile.
        const std::int64_t t = s * kTileRows + q, terms = std::max<std::int64_t>(depth - t, 0);
        const float* from = p.a.floats() + (i + t) * lda + first + r;
        auto* to = reinterpret_cast<float*>(amx::place_of(tiles, steps, r, s)) + q;
        if (r + 4 <= rows) {
          vec::transpose_4(std::min<std::int64_t>(terms, vec::kWidth), from, lda, to, kTileRows);
        } else {
          for (std::int64_t c = 0; c < rows - r; ++c)
            for (std::int64_t l = 0; l < vec::kWidth; ++l)
              to[c * kTileRows + l] = l < terms ? from[l * lda + c] : 0;
        }
      }
}

// Columns [begin, end) of C = (add ? C : 0) + op(A) op(B), of pairs [i, i + depth) of each sum.
template <class Amx, class Panel>
void multiply(const Product& p, std::int64_t begin, std::int64_t end, std::int64_t i,
              std::int64_t depth, bool add, const Panel& panel) {
  static thread_local amx::Lines tiles;
  const std::int64_t steps = amx::steps_of(depth), most = amx::block_rows(steps), m = p.m(),
                     panels = (end - begin + kPanelColumns - 1) / kPanelColumns;
  for (std::int64_t first = 0; first < m; first += most) {
    const std::int64_t rows = std::min(most, m - first);
    std::byte* x = amx::take(tiles, (rows + kTileRows - 1) / kTileRows * steps * kTileBytes);
    lay_out(p, first, rows, i, depth, x);
    amx::multiply<Amx>(
        rows, depth, x, panels, panel,
        Pairs{p.c.floats() + first * p.c.stride + begin, p.c.stride, end - begin, add});
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
  const std::int64_t n = p.n(), k = p.k(), ldb = p.b.stride;
  if (k == 0) return clear(p);
  const std::int64_t stretch = stretch_of(k);
  for (std::int64_t begin = 0; begin < n; begin += kColumns)
    for (std::int64_t i = 0; i < k; i += stretch) {
      const std::int64_t depth = std::min(stretch, k - i), end = std::min(n, begin + kColumns),
                         panels = (end - begin + kPanelColumns - 1) / kPanelColumns;
      std::byte* w = amx::take(packed, panels * depth * kTileRow);
      for (std::int64_t j = begin; j < end; j += kPanelColumns)
        pack_panel<kPanelColumns>(
            depth, std::min(kPanelColumns, n - j),
            p.b.floats() + (p.transpose_b ? j * ldb + i : i * ldb + j), ldb, p.transpose_b,
            reinterpret_cast<float*>(w + (j - begin) / kPanelColumns * depth * kTileRow));
      multiply<Amx>(p, begin, end, i, depth, i > 0 || p.accumulate,
                    [&](std::int64_t j) { return w + j * depth * kTileRow; });
    }
}

template <class Amx>
void product_packed(const Product& p) {
  const std::int64_t k = p.k();
  if (k == 0) return clear(p);
  const std::int64_t stretch = stretch_of(k);
  const auto* panels = reinterpret_cast<const std::byte*>(p.b.floats());
  for (std::int64_t i = 0; i < k; i += stretch)
    multiply<Amx>(p, 0, p.n(), i, std::min(stretch, k - i), i > 0,
                  [&](std::int64_t j) { return panels + (j * k + i) * kTileRow; });
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
