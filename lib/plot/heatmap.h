// A heatmap: a matrix as colours, with axes and a colour bar.
//
// Row 0 is at the top and column 0 at the left, as matrices are written. An axis either counts
// (ticks at round numbers) or names every row or column (tokens).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plot/canvas.h"
#include "plot/color.h"
#include "plot/ticks.h"

namespace tt::plot {

// One axis of a heatmap. `names` has an entry per row or column, or is empty: then index i is
// labelled first + i * step.
struct Axis {
  std::string label = {};
  std::int64_t first = 0, step = 1;
  std::vector<std::string> names = {};
  bool shown = true;  // false: neither ticks nor label
};

// Invariants: values has rows x columns entries, row by row, both at least 1; low < high.
struct Heatmap {
  std::string title;
  std::int64_t rows = 0, columns = 0;
  std::vector<float> values;
  Axis x, y;
  std::string unit;  // of the colour bar
  double low = 0, high = 1;
  bool diverging = false;  // colours for values around (low + high) / 2, otherwise for amounts
  bool square = false;     // square cells
  bool bar = true;         // has a colour bar
  double text_size = 10;   // points

  const ColorMap& colors() const {
    return diverging ? ColorMap::diverging() : ColorMap::sequential();
  }
  Color color(double value) const { return colors().at((value - low) / (high - low)); }
};

// `values` [rows, columns] reduced to at most `most_rows` x `most_columns` by averaging blocks of
// equal size, in double; the last blocks of an axis may be shorter. Blocks longer than one have an
// even length: encodings alternate between sine and cosine, and blocks with one more of either
// would show as stripes.
struct Reduced {
  std::int64_t rows, columns;
  std::vector<float> values;
};

// The length of the blocks that reduce `n` entries to at most `most`.
std::int64_t block_length(std::int64_t n, std::int64_t most);

Reduced reduce(const std::vector<float>& values, std::int64_t rows, std::int64_t columns,
               std::int64_t most_rows, std::int64_t most_columns);

// The space that labels need around a plot area, in points.
struct Margins {
  double left = 0, top = 0, right = 0, bottom = 0;
};

// The size of a heatmap's plot area within `room`: whole pixels per cell if possible, cells of at
// most 28 points, and for named axes at least the height of a name (which may exceed `room`).
Size plot_size(const Heatmap& map, Size room);

// The margins that draw() needs around a plot area of this size.
Margins margins(const Heatmap& map, Size plot);

void draw(Canvas& canvas, const Heatmap& map, const Rect& plot);

// A name as displayed: the mark of a word's beginning (U+2581) as an open box, control characters
// as U+FFFD.
std::string shown_name(const std::string& name);

}  // namespace tt::plot
