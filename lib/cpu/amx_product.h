// Products by tiles (cpu/amx.h), whatever their numbers are: rows of A that lie as tiles, times
// panels of W. Four sums at a time, of two rows of tiles and two panels, so that each tile that is
// loaded is used twice; a block of rows stays in the second-level cache while all panels pass, and
// a panel in the first-level cache while all rows do.
//
// A sum is one chain, of the terms of a tile after those of the tile before, whatever rows and
// panels are computed with it.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "cpu/amx.h"

namespace tt::amx {

// Memory whose tiles begin where lines of the cache do.
struct alignas(kTileRow) Line {
  std::byte at[kTileRow];
};
using Lines = std::vector<Line>;

inline std::byte* take(Lines& lines, std::int64_t bytes) {
  const auto n = static_cast<std::size_t>((bytes + kTileRow - 1) / kTileRow);
  if (lines.size() < n) lines.resize(n);
  return lines.data()->at;
}

// Tiles along the sum, of terms of four bytes.
inline std::int64_t steps_of(std::int64_t terms) { return (terms + kTileRows - 1) / kTileRows; }

// Rows of A that are multiplied together: the second-level cache has their tiles.
inline std::int64_t block_rows(std::int64_t steps) {
  constexpr std::int64_t kHalfOfCache = 1 << 19;
  return std::clamp<std::int64_t>(kHalfOfCache / (steps * kTileRow) / (2 * kTileRows), 1, 8) * 2 *
         kTileRows;
}

// Term `first` of row `row` in the tiles of a block of rows, [rows / 16][steps][16 rows][64 bytes].
inline std::byte* place_of(std::byte* tiles, std::int64_t steps, std::int64_t row,
                           std::int64_t step) {
  return tiles + ((row / kTileRows * steps + step) * kTileRows + row % kTileRows) * kTileRow;
}

// Some rows times `panels` panels, each of `terms` rows of 64 bytes, the first at panel(0). `x`:
// the rows' tiles, zeros beyond the last term. Kind says what numbers are:
//   Kind::template add<Amx, Sums, Left, Right>()
//   begin<Amx, Tile>(row, panel, rows), end<Amx, Tile>(row, panel, rows): sums before and after
//   ask_for(row, panel): prefetches where a row of sums ends up; there may be no such row
template <class Amx, class Panel, class Kind>
void multiply(std::int64_t rows, std::int64_t terms, const std::byte* x, std::int64_t panels,
              const Panel& panel, const Kind& kind) {
  const std::int64_t steps = steps_of(terms), whole = terms / kTileRows;
  // The last terms of two panels, and zeros.
  alignas(kTileRow) std::byte rest[2][kTileBytes];
  const auto rest_bytes = static_cast<std::size_t>((terms - whole * kTileRows) * kTileRow);
  // Up to 16 rows take less time in lower tiles; of the last of more, 16 are computed.
  TileShapes shapes;
  for (int i = 0; i < 8; ++i) {
    shapes.row_bytes[i] = kTileRow;
    shapes.rows[i] = static_cast<std::uint8_t>(i >= 6 ? kTileRows : std::min(kTileRows, rows));
  }
  Amx::configure(shapes);
  for (std::int64_t j = 0; j < panels; j += 2) {
    const bool two = j + 1 < panels;
    const std::byte *left = panel(j), *right = two ? panel(j + 1) : nullptr;
    if (rest_bytes > 0)
      for (const int side : {0, 1}) {
        const std::byte* from = side == 0 ? left : right;
        if (!from) continue;
        std::memcpy(rest[side], from + whole * kTileBytes, rest_bytes);
        std::memset(rest[side] + rest_bytes, 0, kTileBytes - rest_bytes);
      }
    for (std::int64_t r = 0; r < rows; r += 2 * kTileRows) {
      const std::int64_t upper = std::min(kTileRows, rows - r),
                         lower = std::clamp<std::int64_t>(rows - r - kTileRows, 0, kTileRows);
      const std::byte *a = x + r * steps * kTileRow, *b = a + steps * kTileBytes;
      kind.template begin<Amx, 0>(r, j, upper);
      if (two) kind.template begin<Amx, 1>(r, j + 1, upper);
      if (lower > 0) kind.template begin<Amx, 2>(r + kTileRows, j, lower);
      if (two && lower > 0) kind.template begin<Amx, 3>(r + kTileRows, j + 1, lower);
      // The next sums are asked for meanwhile, a few lines with each step: the loads of a step
      // would queue behind all of them at once.
      const bool below = r + 2 * kTileRows < rows;
      const std::int64_t next_row = below ? r + 2 * kTileRows : 0, next_panel = below ? j : j + 2;
      const std::int64_t lines = 2 * std::min(rows, 2 * kTileRows);
      std::int64_t line = 0;
      for (std::int64_t s = 0; s < steps; ++s, a += kTileBytes, b += kTileBytes) {
        for (const std::int64_t asked = (s + 1) * lines / steps; line < asked; ++line)
          kind.ask_for(next_row + line / 2, next_panel + line % 2);
        const bool last = s == whole;
        Amx::template load<4>(a, kTileRow);
        Amx::template load<6>(last ? rest[0] : left + s * kTileBytes, kTileRow);
        Kind::template add<Amx, 0, 4, 6>();
        if (two) {
          Amx::template load<7>(last ? rest[1] : right + s * kTileBytes, kTileRow);
          Kind::template add<Amx, 1, 4, 7>();
        }
        if (lower > 0) {
          Amx::template load<5>(b, kTileRow);
          Kind::template add<Amx, 2, 5, 6>();
          if (two) Kind::template add<Amx, 3, 5, 7>();
        }
      }
      kind.template end<Amx, 0>(r, j, upper);
      if (two) kind.template end<Amx, 1>(r, j + 1, upper);
      if (lower > 0) kind.template end<Amx, 2>(r + kTileRows, j, lower);
      if (two && lower > 0) kind.template end<Amx, 3>(r + kTileRows, j + 1, lower);
    }
  }
  Amx::release();
}

}  // namespace tt::amx
