// The work of row_product.cc for one instruction set. It is included there once for each, in separate namespaces (hence no
// #pragma once), with
//   TT_TARGET  the function attribute for the instruction set
//   TT_BYTES   bytes per vector
//   TT_NEEDS   the same as an Instructions
//   TT_NAME    the name of the instruction set
//   TT_ROWS    rows of a tile, such that its sums, two vectors per row, and the operands fit the registers

using Vector = float __attribute__((vector_size(TT_BYTES)));
constexpr std::int64_t kLanes = TT_BYTES / sizeof(float);
constexpr std::int64_t kPanel = 2 * kLanes;  // columns of a tile
constexpr std::int64_t kTile = TT_ROWS;
constexpr std::int64_t kDepth = 256,
                       kBlock = 256;  // rows and columns of W packed together; they fit the L2 cache
static_assert(kBlock % kPanel == 0);

// y [Rows, kPanel] = (add ? y : 0) + x [Rows, depth] w [depth, kPanel]. Every element is its own chain of sums, in the order of
// w's rows.
template <int Rows>
TT_TARGET void tile(std::int64_t depth, const float* x, std::int64_t ldx, const float* w, std::int64_t ldw, bool add, float* y,
                    std::int64_t ldy) {
  Vector sums[Rows][2] = {};
  if (add)
    for (int r = 0; r < Rows; ++r)
      for (int h = 0; h < 2; ++h) std::memcpy(&sums[r][h], y + r * ldy + h * kLanes, TT_BYTES);
  for (std::int64_t i = 0; i < depth; ++i, w += ldw) {
    Vector left, right;
    std::memcpy(&left, w, TT_BYTES);
    std::memcpy(&right, w + kLanes, TT_BYTES);
    for (int r = 0; r < Rows; ++r) {
      sums[r][0] += x[r * ldx + i] * left;
      sums[r][1] += x[r * ldx + i] * right;
    }
  }
  for (int r = 0; r < Rows; ++r)
    for (int h = 0; h < 2; ++h) std::memcpy(y + r * ldy + h * kLanes, &sums[r][h], TT_BYTES);
}

template <int Rows>
void tile_of(std::int64_t rows, std::int64_t depth, const float* x, std::int64_t ldx, const float* w, std::int64_t ldw, bool add,
             float* y, std::int64_t ldy) {
  if (rows == Rows) tile<Rows>(depth, x, ldx, w, ldw, add, y, ldy);
  else if constexpr (Rows > 1) tile_of<Rows - 1>(rows, depth, x, ldx, w, ldw, add, y, ldy);
}

// Columns [0, width) of w, or its rows if transposed, to a panel [depth, kPanel]; padded with zeros.
TT_TARGET inline void pack(std::int64_t depth, std::int64_t width, const float* w, std::int64_t ldw, bool transposed,
                           float* panel) {
  if (!transposed && width == kPanel) {
    for (std::int64_t i = 0; i < depth; ++i) std::memcpy(panel + i * kPanel, w + i * ldw, kPanel * sizeof(float));
    return;
  }
  std::int64_t i = 0;
  if (transposed && width == kPanel)
    for (; i + 8 <= depth; i += 8)
      for (std::int64_t c = 0; c < kPanel; c += 8) transpose(w + c * ldw + i, ldw, panel + i * kPanel + c, kPanel);
  for (; i < depth; ++i)
    for (std::int64_t c = 0; c < kPanel; ++c)
      panel[i * kPanel + c] = c < width ? (transposed ? w[c * ldw + i] : w[i * ldw + c]) : 0;
}

// Adds rows of x times columns [begin, end), rows [i, i + depth) of W to y, which the first rows of W initialise. panel(j) is the
// panel of column j, with row stride ld; the last panel may be padded.
template <class Panel>
inline void multiply(std::int64_t rows, std::int64_t height, std::int64_t n, std::int64_t k, std::int64_t begin, std::int64_t end,
                     std::int64_t i, std::int64_t depth, const float* x, std::int64_t ld, float* y, const Panel& panel) {
  alignas(64) float edge[kTile * kPanel] = {};
  for (std::int64_t r = 0; r < rows; r += height)
    for (std::int64_t j = begin; j < end; j += kPanel) {
      const std::int64_t m = std::min(height, rows - r), width = std::min(kPanel, n - j);
      const float *a = x + r * k + i, *b = panel(j);
      float* to = y + r * n + j;
      if (width == kPanel) {
        tile_of<kTile>(m, depth, a, k, b, ld, i > 0, to, n);
        continue;
      }
      const auto bytes = static_cast<std::size_t>(width) * sizeof(float);
      for (std::int64_t q = 0; i > 0 && q < m; ++q) std::memcpy(edge + q * kPanel, to + q * n, bytes);
      tile_of<kTile>(m, depth, a, k, b, kPanel, i > 0, edge, kPanel);
      for (std::int64_t q = 0; q < m; ++q) std::memcpy(to + q * n, edge + q * kPanel, bytes);
    }
}

inline void row_product(bool transposed, std::int64_t rows, std::int64_t n, std::int64_t k, const float* x, const float* w,
                        float* y) {
  alignas(64) float packed[kDepth * kBlock];
  const std::int64_t ldw = transposed ? k : n, tiles = (rows + kTile - 1) / kTile,
                     height = tiles > 0 ? (rows + tiles - 1) / tiles : 1;
  const bool in_place = !transposed && tiles == 1;  // a panel used by a single tile is not worth packing
  for (std::int64_t begin = 0; begin < n; begin += kBlock)
    for (std::int64_t i = 0; i < k; i += kDepth) {
      const std::int64_t depth = std::min(kDepth, k - i), end = std::min(n, begin + kBlock);
      const auto of_w = [&](std::int64_t j) { return transposed ? w + j * ldw + i : w + i * ldw + j; };
      for (std::int64_t j = begin; j < end; j += kPanel)
        if (!in_place || j + kPanel > n)
          pack(depth, std::min(kPanel, n - j), of_w(j), ldw, transposed, packed + (j - begin) * kDepth);
      const auto panel = [&](std::int64_t j) -> const float* {
        return in_place && j + kPanel <= n ? of_w(j) : packed + (j - begin) * kDepth;
      };
      multiply(rows, height, n, k, begin, end, i, depth, x, in_place ? ldw : kPanel, y, panel);
    }
  if (k == 0) std::fill(y, y + rows * n, 0.0f);
}

// W as panels of all its rows, one after another.
inline void pack_all(bool transposed, std::int64_t n, std::int64_t k, const float* w, float* packed) {
  const std::int64_t ldw = transposed ? k : n;
  for (std::int64_t j = 0; j < n; j += kPanel)
    pack(k, std::min(kPanel, n - j), transposed ? w + j * ldw : w + j, ldw, transposed, packed + j * k);
}

inline void row_product_packed(std::int64_t rows, std::int64_t n, std::int64_t k, const float* x, const float* packed, float* y) {
  const std::int64_t tiles = (rows + kTile - 1) / kTile, height = tiles > 0 ? (rows + tiles - 1) / tiles : 1;
  // Panels used by several tiles are split, so that they stay in the cache from one to the next.
  const std::int64_t columns = tiles > 1 ? kBlock : (n + kPanel - 1) / kPanel * kPanel, most = tiles > 1 ? kDepth : k;
  for (std::int64_t begin = 0; begin < n; begin += columns)
    for (std::int64_t i = 0; i < k; i += most) {
      const auto panel = [&](std::int64_t j) { return packed + j * k + i * kPanel; };
      multiply(rows, height, n, k, begin, std::min(n, begin + columns), i, std::min(most, k - i), x, kPanel, y, panel);
    }
  if (k == 0) std::fill(y, y + rows * n, 0.0f);
}

inline constexpr RowProductVariant kVariant{TT_NEEDS, TT_NAME, row_product, row_product_packed, pack_all, kPanel};
