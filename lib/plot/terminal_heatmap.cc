// Heatmaps in a terminal.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "plot/terminal.h"

namespace tt::plot {
namespace {

constexpr const char kRamp[] = " .:-=+*#%@";  // from little to much ink

char ramp(const Heatmap& map, double value) {
  if (std::isnan(value)) return '?';
  const double t = std::clamp((value - map.low) / (map.high - map.low), 0.0, 1.0);
  return kRamp[std::min(9, static_cast<int>(10 * t))];
}

// A name as in shown_name(), cut to length; in ASCII the mark of a word's beginning is an
// underscore.
std::string terminal_name(const std::string& name, TerminalMode mode) {
  std::string made = shown_name(name);
  static const std::string box = "\u2423";
  if (mode == TerminalMode::ascii)
    for (auto at = made.find(box); at != std::string::npos; at = made.find(box))
      made.replace(at, box.size(), "_");
  return cut(made, kLongestScreenName);
}

// How a matrix is laid out on cells.
struct Grid {
  std::int64_t rows, columns;  // the size shown
  int wide, high;              // character columns, and dots (two per line in colour), per value
  // Matrix values per character column and per dot; the last one may be partly filled.
  double across(const Heatmap& map) const {
    return static_cast<double>(block_length(map.columns, columns)) / wide;
  }
  double down(const Heatmap& map) const {
    return static_cast<double>(block_length(map.rows, rows)) / high;
  }
};

// A matrix of up to 32 lines is shown in full, even if the terminal must scroll; a smaller one is
// enlarged to the terminal's height.
Grid grid_of(const Heatmap& map, int width, int height, int dots_per_line) {
  const bool named_rows = !map.y.names.empty(), named_columns = !map.x.names.empty();
  const int seen = std::max(4, height - 7);  // without the title, the axis and the bar
  const std::int64_t dots = std::int64_t{dots_per_line} * std::max(seen, 32);
  auto shown = [](std::int64_t n, std::int64_t block) { return (n + block - 1) / block; };
  std::int64_t down = named_rows ? 1 : block_length(map.rows, dots),
               across = block_length(map.columns, width);
  const bool square = map.square && !named_rows && !named_columns;
  const int ratio = 2 / dots_per_line;  // the height of a dot in column widths
  if (square) {
    across = std::max(across, block_length(map.columns, std::max(1, width / ratio)));
    down = across = std::max(down, across);
  }
  Grid made{shown(map.rows, down), shown(map.columns, across), 1, dots_per_line};
  made.wide =
      static_cast<int>(std::clamp<std::int64_t>(width / made.columns, 1, named_columns ? 2 : 4));
  if (!named_rows)
    made.high = static_cast<int>(
        std::clamp<std::int64_t>(dots_per_line * seen / made.rows, 1, 2 * dots_per_line));
  if (square) {
    made.high = std::max(1, std::min(made.high, made.wide / ratio));
    made.wide = made.high * ratio;
  }
  return made;
}

std::vector<Tick> index_ticks(const Axis& axis, std::int64_t n, int most) {
  return ticks({static_cast<double>(axis.first), static_cast<double>(axis.first + n) - 0.5},
               std::max(1, most), true);
}

// The cell of index `value` on an axis with `per_cell` indices in a cell.
int cell_of(double value, const Axis& axis, double per_cell) {
  return static_cast<int>((value - static_cast<double>(axis.first) + 0.5) / per_cell);
}

int y_margin(const Heatmap& map, TerminalMode mode) {
  int widest = 0;
  if (map.y.names.empty())
    for (const auto& tick : index_ticks(map.y, map.rows, 12))
      widest = std::max(widest, display_width(tick.label));
  for (const auto& name : map.y.names)
    widest = std::max(widest, display_width(terminal_name(name, mode)));
  return widest + 1;
}

// Draws the names or ticks under the columns, and returns the line after them.
int put_columns(Screen& screen, const Heatmap& map, const Grid& grid, int left, int y,
                TerminalMode mode) {
  const int width = static_cast<int>(grid.columns) * grid.wide;
  if (!map.x.names.empty() && grid.columns == map.columns) {
    int longest = 0;
    // wide characters do not fit into one column: then only every second name is written
    std::size_t every = 1;
    if (grid.wide == 1 && std::any_of(map.x.names.begin(), map.x.names.end(), has_wide)) every = 2;
    for (std::size_t i = 0; i < map.x.names.size(); i += every) {
      screen.put_down(left + static_cast<int>(i) * grid.wide, y,
                      terminal_name(map.x.names[i], mode), every == 2 ? 2 : grid.wide);
      longest = std::max(longest, screen.height() - y);
    }
    return y + longest;
  }
  int free = 0;
  for (const auto& tick : index_ticks(map.x, map.columns, width / 8)) {
    const int length = display_width(tick.label),
              x = left + cell_of(tick.value, map.x, grid.across(map)) - length / 2;
    if (x < free) continue;
    screen.put(x, y, tick.label);
    free = x + length + 1;
  }
  return y + 1;
}

void put_bar(Screen& screen, const Heatmap& map, int left, int y, TerminalMode mode) {
  constexpr int kBar = 20;
  int x = left + screen.put(left, y, short_number(map.low) + " ");
  for (int i = 0; i < kBar; ++i, ++x) {
    const double value = map.low + (map.high - map.low) * (i + 0.5) / kBar;
    if (mode == TerminalMode::ascii) screen.put(x, y, std::string(1, ramp(map, value)));
    else screen.put(x, y, " ", {}, map.color(value));
  }
  screen.put(x, y, " " + short_number(map.high) + (map.unit.empty() ? "" : "  " + map.unit));
}

}  // namespace

Screen draw_screen(const Heatmap& map, const Terminal& terminal) {
  TT_CHECK(map.values.size() == static_cast<std::size_t>(map.rows * map.columns) &&
           map.low < map.high);
  const bool ascii = terminal.mode == TerminalMode::ascii;
  const int left = y_margin(map, terminal.mode), dots_per_line = ascii ? 1 : 2;
  const Grid grid =
      grid_of(map, std::max(1, terminal.width - left), terminal.height, dots_per_line);
  const Reduced shown = reduce(map.values, map.rows, map.columns, grid.rows, grid.columns);
  const int width = static_cast<int>(grid.columns) * grid.wide,
            dots = static_cast<int>(grid.rows) * grid.high;
  auto value = [&](int x, int dot) {
    return shown
        .values[static_cast<std::size_t>((dot / grid.high) * shown.columns + x / grid.wide)];
  };

  Screen screen;
  int y = 0;
  if (!map.title.empty()) {
    const std::string title = cut(map.title, terminal.width);
    screen.put(std::clamp(left + (width - display_width(title)) / 2, 0,
                          terminal.width - display_width(title)),
               y++, title);
  }
  if (!map.y.label.empty()) screen.put(0, y++, cut(map.y.label, terminal.width));
  const int top = y;
  for (int dot = 0; dot < dots; dot += dots_per_line, ++y)
    for (int x = 0; x < width; ++x) {
      if (ascii) {
        screen.put(left + x, y, std::string(1, ramp(map, value(x, dot))));
      } else if (dot + 1 < dots) {
        screen.put(left + x, y, "\u2580", map.color(value(x, dot)), map.color(value(x, dot + 1)));
      } else {
        screen.put(left + x, y, "\u2580", map.color(value(x, dot)));
      }
    }
  if (map.y.names.empty()) {
    for (const auto& tick :
         index_ticks(map.y, map.rows, std::clamp((y - top) / 2, std::min(y - top, 6), 12)))
      screen.put(left - 1 - display_width(tick.label),
                 top + cell_of(tick.value, map.y, grid.down(map)) / dots_per_line, tick.label);
  } else {
    for (std::size_t i = 0; i < map.y.names.size(); ++i) {
      const std::string name = terminal_name(map.y.names[i], terminal.mode);
      screen.put(left - 1 - display_width(name), top + static_cast<int>(i), name);
    }
  }
  y = put_columns(screen, map, grid, left, y, terminal.mode);
  if (!map.x.label.empty()) {
    const std::string label = cut(map.x.label, terminal.width - left);
    screen.put(left + std::max(0, (width - display_width(label)) / 2), y++, label);
  }
  if (map.bar) put_bar(screen, map, left, y, terminal.mode);
  return screen;
}

}  // namespace tt::plot
