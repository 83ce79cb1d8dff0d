#include "plot/heatmap.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace tt::plot {
namespace {

using Across = TextStyle::Across;
using Down = TextStyle::Down;

constexpr double kTick = 4, kGap = 3, kBarWidth = 12;
constexpr double kLargestCell = 28;
const Color kInk{40, 40, 40};

// The height of a line of text of this size, with a small margin.
double line_height(double text_size) { return 1.3 * text_size; }

double name_width(const std::string& name, double size) {
  return measure(shown_name(name), size, false, kLongestName * size).width;
}

// How names below a heatmap are turned: horizontal if all fit into their columns, slanted if that
// keeps them apart, otherwise vertical.
double turn_of(const Heatmap& map, double pitch) {
  double widest = 0;
  for (const auto& name : map.x.names) widest = std::max(widest, name_width(name, map.text_size));
  if (widest + kGap <= pitch) return 0;
  return pitch >= 1.5 * line_height(map.text_size) ? 45 : 90;
}

// The text size of names: smaller if rows or columns are too narrow, but at least 4 points.
double name_size(const Heatmap& map, double pitch) {
  return std::clamp(pitch / 1.15, 4.0, map.text_size);
}

// The step between names that are written, so that they do not overlap.
std::size_t every(double pitch) {
  return static_cast<std::size_t>(std::max(1.0, std::ceil(4.0 / pitch)));
}

double widest_name(const Axis& axis, double size) {
  double widest = 0;
  for (const auto& name : axis.names) widest = std::max(widest, name_width(name, size));
  return widest;
}

// Ticks of a counting axis: the value is the index, and may lie between two of them.
std::vector<Tick> index_ticks(const Axis& axis, std::int64_t n, double length, double room) {
  const auto first = static_cast<double>(axis.first), step = static_cast<double>(axis.step);
  const Range range{first, first + (static_cast<double>(n) - 0.5) * step};
  auto made = ticks(range, std::max(1, static_cast<int>(length / room)), true);
  for (auto& tick : made) tick.value = (tick.value - first) / step;
  return made;
}

std::vector<Tick> x_ticks(const Heatmap& map, double width) {
  return index_ticks(map.x, map.columns, width, 5 * map.text_size);
}
std::vector<Tick> y_ticks(const Heatmap& map, double height) {
  return index_ticks(map.y, map.rows, height, 2.5 * map.text_size);
}

std::vector<Tick> bar_ticks(const Heatmap& map, double height) {
  return ticks({map.low, map.high},
               std::clamp(static_cast<int>(height / (2.5 * map.text_size)), 2, 9));
}

double widest(const std::vector<Tick>& ticks, double size) {
  double most = 0;
  for (const auto& tick : ticks) most = std::max(most, measure(tick.label, size).width);
  return most;
}

void draw_x(Canvas& canvas, const Heatmap& map, const Rect& plot) {
  if (!map.x.shown) return;
  const double pitch = plot.width / static_cast<double>(map.columns);
  if (map.x.names.empty()) {
    for (const auto& tick : x_ticks(map, plot.width)) {
      const double x = plot.x + (tick.value + 0.5) * pitch;
      canvas.line({x, plot.bottom() + 1}, {x, plot.bottom() + kTick}, 0.75, kInk);
      canvas.text({x, plot.bottom() + kTick + 1}, tick.label,
                  {map.text_size, Across::center, Down::top, 0, false, kInk});
    }
  } else {
    const double turn = turn_of(map, pitch),
                 size = turn == 90 ? name_size(map, pitch) : map.text_size;
    for (std::size_t i = 0; i < map.x.names.size(); i += every(pitch)) {
      const Point at{plot.x + (static_cast<double>(i) + 0.5) * pitch, plot.bottom() + kGap};
      // A turned name ends under its column.
      canvas.text(at, shown_name(map.x.names[i]),
                  {size, turn == 0 ? Across::center : Across::right,
                   turn == 0 ? Down::top : Down::middle, turn, false, kInk, kLongestName * size});
    }
  }
  if (!map.x.label.empty())
    canvas.text(
        {plot.x + plot.width / 2, plot.bottom() + margins(map, {plot.width, plot.height}).bottom},
        map.x.label, {map.text_size, Across::center, Down::bottom, 0, false, kInk});
}

void draw_y(Canvas& canvas, const Heatmap& map, const Rect& plot) {
  if (!map.y.shown) return;
  const double pitch = plot.height / static_cast<double>(map.rows);
  if (map.y.names.empty()) {
    for (const auto& tick : y_ticks(map, plot.height)) {
      const double y = plot.y + (tick.value + 0.5) * pitch;
      canvas.line({plot.x - kTick, y}, {plot.x - 1, y}, 0.75, kInk);
      canvas.text({plot.x - kTick - 2, y}, tick.label,
                  {map.text_size, Across::right, Down::middle, 0, false, kInk});
    }
  } else {
    const double size = name_size(map, pitch);
    for (std::size_t i = 0; i < map.y.names.size(); i += every(pitch))
      canvas.text({plot.x - kGap, plot.y + (static_cast<double>(i) + 0.5) * pitch},
                  shown_name(map.y.names[i]),
                  {size, Across::right, Down::middle, 0, false, kInk, kLongestName * size});
  }
  if (!map.y.label.empty())
    canvas.text({plot.x - margins(map, {plot.width, plot.height}).left, plot.y + plot.height / 2},
                map.y.label, {map.text_size, Across::center, Down::top, 90, false, kInk});
}

void draw_bar(Canvas& canvas, const Heatmap& map, const Rect& plot) {
  const Rect bar{plot.right() + map.text_size, plot.y, kBarWidth, plot.height};
  std::vector<Color> colors;
  for (int i = 255; i >= 0; --i) colors.push_back(map.colors().at(i / 255.0));
  canvas.cells(bar, 256, 1, colors);
  canvas.frame(bar, 0.5, kInk);
  double right = bar.right() + kTick + 2;
  for (const auto& tick : bar_ticks(map, bar.height)) {
    const double y = bar.bottom() - Range{map.low, map.high}.at(tick.value) * bar.height;
    canvas.line({bar.right() + 1, y}, {bar.right() + kTick, y}, 0.75, kInk);
    canvas.text({bar.right() + kTick + 2, y}, tick.label,
                {map.text_size, Across::left, Down::middle, 0, false, kInk});
    right = std::max(right, bar.right() + kTick + 2 + measure(tick.label, map.text_size).width);
  }
  if (!map.unit.empty())
    canvas.text({right + 2, plot.y + plot.height / 2}, map.unit,
                {map.text_size, Across::center, Down::top, 90, false, kInk});
}

}  // namespace

std::int64_t block_length(std::int64_t n, std::int64_t most) {
  const std::int64_t length = (n + most - 1) / most;
  return length == 1 ? 1 : length + length % 2;
}

Reduced reduce(const std::vector<float>& values, std::int64_t rows, std::int64_t columns,
               std::int64_t most_rows, std::int64_t most_columns) {
  TT_CHECK(rows >= 1 && columns >= 1 && values.size() == static_cast<std::size_t>(rows * columns));
  TT_CHECK(most_rows >= 1 && most_columns >= 1);
  const std::int64_t down = block_length(rows, most_rows),
                     across = block_length(columns, most_columns);
  if (down == 1 && across == 1) return {rows, columns, values};
  Reduced made{(rows + down - 1) / down, (columns + across - 1) / across, {}};
  for (std::int64_t top = 0; top < rows; top += down)
    for (std::int64_t left = 0; left < columns; left += across) {
      const std::int64_t bottom = std::min(top + down, rows),
                         right = std::min(left + across, columns);
      double sum = 0;
      for (std::int64_t r = top; r < bottom; ++r)
        for (std::int64_t c = left; c < right; ++c)
          sum += static_cast<double>(values[static_cast<std::size_t>(r * columns + c)]);
      made.values.push_back(
          static_cast<float>(sum / static_cast<double>((bottom - top) * (right - left))));
    }
  return made;
}

Size plot_size(const Heatmap& map, Size room) {
  auto pitch = [&](std::int64_t n, double length, bool named) {
    // Names can still be read where the picture is as wide as a column of a page.
    const double largest = named ? 1.5 * map.text_size : kLargestCell;
    double cell = std::min(length / static_cast<double>(n), largest);
    if (named) cell = std::max(cell, 0.9 * map.text_size);
    return cell >= 0.5 ? std::floor(2 * cell) / 2 : cell;  // half a point is a pixel
  };
  double across = pitch(map.columns, room.width, !map.x.names.empty()),
         down = pitch(map.rows, room.height, !map.y.names.empty());
  if (map.square) across = down = std::min(across, down);
  return {across * static_cast<double>(map.columns), down * static_cast<double>(map.rows)};
}

Margins margins(const Heatmap& map, Size plot) {
  const double size = map.text_size, line = line_height(size),
               pitch = plot.width / static_cast<double>(map.columns);
  Margins made{1, 1, 1, 1};
  if (!map.x.shown) {
    made.bottom = 1;
  } else if (map.x.names.empty()) {
    made.bottom = kTick + 1 + line;
    made.right = size;  // half of the last tick's label
    made.left = std::max(made.left, size / 2);
  } else {
    const double turn = turn_of(map, pitch), height = turn == 90 ? name_size(map, pitch) : size;
    double reach = 0;
    for (std::size_t i = 0; i < map.x.names.size(); ++i) {
      const double width = name_width(map.x.names[i], height);
      reach = std::max(reach, turn == 0    ? line
                              : turn == 90 ? width
                                           : (width + line) * std::sqrt(0.5));
      // Slanted names of the first columns extend to the left of the plot.
      if (turn == 45)
        made.left = std::max(made.left, (width + line / 2) * std::sqrt(0.5) -
                                            (static_cast<double>(i) + 0.5) * pitch);
    }
    made.bottom = kGap + reach + 2;
  }
  const double names =
      map.y.names.empty()
          ? kTick + 3 + widest(y_ticks(map, plot.height), size)
          : kGap + 1 +
                widest_name(map.y, name_size(map, plot.height / static_cast<double>(map.rows)));
  if (map.y.shown) made.left = std::max(made.left, names);
  if (map.x.shown && !map.x.label.empty()) made.bottom += line + 1;
  if (map.y.shown && !map.y.label.empty()) made.left += line + 2;
  if (map.bar) {
    made.right = size + kBarWidth + kTick + 3 + widest(bar_ticks(map, plot.height), size) +
                 (map.unit.empty() ? 0 : line + 2);
    made.top = std::max(made.top, size / 2 + 1);  // half of the highest tick's label
  }
  // Labels are centred at their sides, and may be longer.
  const auto beyond = [&](const std::string& label, double side) {
    return (measure(label, size).width - side) / 2;
  };
  if (map.x.shown) {
    const double across = beyond(map.x.label, plot.width);
    made.left = std::max(made.left, across), made.right = std::max(made.right, across);
  }
  const double down = std::max(map.y.shown ? beyond(map.y.label, plot.height) : 0,
                               map.bar ? beyond(map.unit, plot.height) : 0);
  made.bottom = std::max(made.bottom, down);
  made.top = map.title.empty()
                 ? std::max(made.top, down)
                 : std::max(down, 1.0) + 5 + 1.2 * size;  // the title above the labels
  if (!map.title.empty()) {
    const double wide = (measure(map.title, 1.1 * size, true).width - plot.width) / 2;
    made.left = std::max(made.left, wide), made.right = std::max(made.right, wide);
  }
  return made;
}

void draw(Canvas& canvas, const Heatmap& map, const Rect& plot) {
  TT_CHECK(map.values.size() == static_cast<std::size_t>(map.rows * map.columns) &&
           map.low < map.high);
  const auto shown = reduce(map.values, map.rows, map.columns,
                            std::max<std::int64_t>(1, std::llround(2 * plot.height)),
                            std::max<std::int64_t>(1, std::llround(2 * plot.width)));
  std::vector<Color> colors;
  colors.reserve(shown.values.size());
  for (const float value : shown.values) colors.push_back(map.color(value));
  canvas.cells(plot, shown.rows, shown.columns, colors);
  canvas.frame(plot, 0.5, kInk);
  if (!map.title.empty())
    canvas.text({plot.x + plot.width / 2,
                 plot.y - margins(map, {plot.width, plot.height}).top + 1.2 * map.text_size + 1},
                map.title, {1.1 * map.text_size, Across::center, Down::bottom, 0, true, kInk});
  draw_x(canvas, map, plot);
  draw_y(canvas, map, plot);
  if (map.bar) draw_bar(canvas, map, plot);
}

std::string shown_name(const std::string& name) {
  static const std::string mark = "\u2581", box = "\u2423", replacement = "\ufffd";
  std::string made;
  for (std::size_t i = 0; i < name.size();) {
    if (name.compare(i, mark.size(), mark) == 0) {
      made += box;
      i += mark.size();
    } else {
      const auto byte = static_cast<unsigned char>(name[i++]);
      if (byte < 32 || byte == 127) made += replacement;
      else made += static_cast<char>(byte);
    }
  }
  return made;
}

}  // namespace tt::plot
