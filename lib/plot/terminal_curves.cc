// Curves in a terminal, and whole figures.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "base/error.h"
#include "plot/terminal.h"

namespace tt::plot {
namespace {

// Dots on a grid of cells: two by four per Braille cell, one per ASCII cell. A cell has the style
// of its last dot.
class Dots {
 public:
  Dots(int width, int height, TerminalMode mode)
      : width_(width), height_(height), ascii_(mode == TerminalMode::ascii),
        cells_(static_cast<std::size_t>(width * height)) {}

  int across() const { return ascii_ ? width_ : 2 * width_; }
  int down() const { return ascii_ ? height_ : 4 * height_; }

  // Nothing, where there is no such dot.
  void set(int x, int y, std::size_t style) {
    if (x < 0 || y < 0 || x >= across() || y >= down()) return;
    // The eight dots of U+2800 in the order of their bits: three rows of the left column, three of
    // the right, then the last row.
    static constexpr std::array<std::array<unsigned, 2>, 4> kBit = {
        {{0, 3}, {1, 4}, {2, 5}, {6, 7}}};
    const int column = ascii_ ? x : x / 2, row = ascii_ ? y : y / 4;
    auto& cell = cells_[static_cast<std::size_t>(row * width_ + column)];
    cell.bits |=
        ascii_ ? 1u : 1u << kBit[static_cast<std::size_t>(y % 4)][static_cast<std::size_t>(x % 2)];
    cell.style = style;
  }

  // Dots from one point to the other, inclusive. Those of dashed curves have gaps, but not where
  // they are steep.
  void line(int x0, int y0, int x1, int y1, std::size_t style) {
    const int steps = std::max({std::abs(x1 - x0), std::abs(y1 - y0), 1});
    const bool gaps = !ascii_ && style % 2 == 1 && std::abs(y1 - y0) <= 4 * std::abs(x1 - x0);
    for (int i = 0; i <= steps; ++i) {
      const int x = x0 + static_cast<int>(std::lround(static_cast<double>(x1 - x0) * i / steps));
      const int y = y0 + static_cast<int>(std::lround(static_cast<double>(y1 - y0) * i / steps));
      if (!gaps || x / 3 % 2 == 0) set(x, y, style);
    }
  }

  void put(Screen& screen, int left, int top) const {
    for (int row = 0; row < height_; ++row)
      for (int column = 0; column < width_; ++column) {
        const auto& cell = cells_[static_cast<std::size_t>(row * width_ + column)];
        if (!cell.bits) continue;
        if (ascii_) {
          screen.put(left + column, top + row, std::string(1, curve_mark(cell.style)));
        } else {  // U+2800 + bits, in UTF-8
          const std::string braille = {'\xe2', static_cast<char>(0xa0 + (cell.bits >> 6)),
                                       static_cast<char>(0x80 + (cell.bits & 63))};
          screen.put(left + column, top + row, braille, curve_color(cell.style / 2));
        }
      }
  }

 private:
  struct Cell {
    unsigned bits = 0;
    std::size_t style = 0;
  };
  int width_, height_;
  bool ascii_;
  std::vector<Cell> cells_;
};

// A logarithmic axis may not reach the lowest values: their dots are outside, and lines to them are
// cut where the axis ends.
int dot_of(double part, int dots) {
  return static_cast<int>(std::lround(std::clamp(part, -100.0, 100.0) * (dots - 1)));
}

// The legend, at most `width` wide.
Screen draw_legend(const std::vector<LegendEntry>& entries, int width, TerminalMode mode) {
  Screen screen;
  int x = 0, y = 0;
  for (const auto& entry : entries) {
    const std::string name = cut(entry.name, width - 4);
    const int needed = 3 + display_width(name);
    if (x > 0 && x + needed > width) x = 0, ++y;
    if (mode == TerminalMode::ascii)
      screen.put(x, y, std::string(2, curve_mark(curve_style(entry.color, entry.dashed))));
    else screen.put(x, y, entry.dashed ? "\u254d\u254d" : "\u2501\u2501", curve_color(entry.color));
    screen.put(x + 3, y, name);
    x += needed + 3;
  }
  return screen;
}

}  // namespace

std::size_t curve_style(std::size_t color, bool dashed) { return 2 * color + dashed; }

char curve_mark(std::size_t style) {
  constexpr char kMarks[] = "*o+x#=@a%e&c$s^vAOBXCYDZEHFIGJKL";
  return kMarks[style % (sizeof kMarks - 1)];
}

namespace {

// The area of the curves of a screen: `width` x `height` places, behind the axis and below the
// title.
struct Area {
  int left, top, width, height;
};

void draw_y_axis(Screen& screen, const Area& area, const Ranges& shown,
                 const std::vector<Tick>& levels, bool ascii) {
  for (int row = 0; row < area.height; ++row)
    screen.put(area.left - 1, area.top + row, ascii ? "|" : "\u2502");
  for (const auto& tick : levels) {
    const int row = area.top + area.height - 1 - dot_of(shown.y.at(tick.value), area.height);
    screen.put(area.left - 2 - display_width(tick.label), row, tick.label);
    screen.put(area.left - 1, row, ascii ? "+" : "\u2524");
  }
}

// The x axis, with as many labels as there is room for in `most` columns.
void draw_x_axis(Screen& screen, const Area& area, const Ranges& shown, const Curves& curves,
                 int most, bool ascii) {
  const int row = area.top + area.height;
  screen.put(area.left - 1, row, ascii ? "+" : "\u2514");
  for (int column = 0; column < area.width; ++column)
    screen.put(area.left + column, row, ascii ? "-" : "\u2500");
  std::vector<Tick> across;
  for (const auto& name : curves.x_names)
    across.push_back({static_cast<double>(across.size()), cut(name, kLongestScreenName)});
  if (across.empty())
    across = x_ticks(curves, area.width, 9,
                     [](const Tick& tick) { return display_width(tick.label) + 1; });
  // From the end, where places that grow by a factor have most room.
  std::reverse(across.begin(), across.end());
  int free = most;
  for (const auto& tick : across) {
    const int column = area.left + dot_of(shown.x.at(tick.value), area.width),
              length = display_width(tick.label);
    screen.put(column, row, ascii ? "+" : "\u252c");
    const int x = std::min(column - length / 2, most - length);
    if (x < 0 || x + length > free) continue;
    screen.put(x, row + 1, tick.label);
    free = x - 1;
  }
  if (curves.x_label.empty()) return;
  const std::string label = cut(curves.x_label, area.width);
  screen.put(area.left + (area.width - display_width(label)) / 2, row + 2, label);
}

void draw_curves(Dots& dots, const Curves& curves, const Ranges& shown) {
  auto y_of = [&](const Point& p) {
    return dots.down() - 1 - dot_of(shown.y.at(p.y), dots.down());
  };
  const std::vector<double> steps = sidesteps(curves, dots.across(), 2);
  for (std::size_t i = 0; i < curves.curves.size(); ++i) {
    const Curve& curve = curves.curves[i];
    const std::size_t style = curve_style(curve.color, curve.dashed);
    const int step = static_cast<int>(std::lround(steps[i]));
    auto x_of = [&](const Point& p) { return dot_of(shown.x.at(p.x), dots.across()) + step; };
    for (const auto& [low, high] : bars(curve, shown))
      dots.line(x_of(low), y_of(low), x_of(high), y_of(high), style);
    for (const auto& stretch : stretches(curve, shown)) {
      const int x = x_of(stretch[0]), y = y_of(stretch[0]);
      const int across = stretch.size() == 1 && !curve.spread.empty();  // its bar
      dots.line(x - across, y, x + across, y, style);
      for (std::size_t p = 1; p < stretch.size(); ++p)
        dots.line(x_of(stretch[p - 1]), y_of(stretch[p - 1]), x_of(stretch[p]), y_of(stretch[p]),
                  style);
    }
  }
}

}  // namespace

Screen draw_screen(const Curves& curves, const Terminal& terminal) {
  const bool ascii = terminal.mode == TerminalMode::ascii;
  const Ranges shown = ranges(curves);
  const int above = (curves.title.empty() ? 0 : 1) + (curves.y_label.empty() ? 0 : 1);
  const int height = std::max(3, terminal.height - above - 2 - (curves.x_label.empty() ? 0 : 1));
  const auto levels = ticks(shown.y, std::max(3, height * 2 / 3));
  int left = 0;
  for (const auto& tick : levels) left = std::max(left, display_width(tick.label));
  left += 2;  // a blank and the axis
  const Area area{left, above, std::max(8, terminal.width - left - 1), height};

  Screen screen;
  if (!curves.title.empty()) {
    const std::string title = cut(curves.title, terminal.width);
    screen.put(std::max(0, (terminal.width - display_width(title)) / 2), 0, title);
  }
  if (!curves.y_label.empty()) screen.put(0, above - 1, cut(curves.y_label, terminal.width));
  draw_y_axis(screen, area, shown, levels, ascii);
  draw_x_axis(screen, area, shown, curves, terminal.width, ascii);
  Dots dots(area.width, height, terminal.mode);
  draw_curves(dots, curves, shown);
  dots.put(screen, left, above);
  return screen;
}

std::string draw_terminal(const Figure& figure, const Terminal& terminal) {
  TT_CHECK(!figure.panels.empty() && figure.columns >= 1);
  constexpr int kBetween = 2;
  constexpr int kNarrowest = 36;  // of a panel of curves
  Screen sheet;
  int y = 0;
  if (!figure.title.empty()) sheet.put(0, y++, cut(figure.title, terminal.width));
  if (!figure.y_label.empty() || !figure.x_label.empty())
    sheet.put(0, y++,
              cut("rows: " + figure.y_label + ", columns: " + figure.x_label, terminal.width));
  const Screen names = draw_legend(legend(figure), terminal.width, terminal.mode);

  const int across = std::max(
      1, std::min({static_cast<int>(figure.columns), static_cast<int>(figure.panels.size()),
                   (terminal.width + kBetween) / (kNarrowest + kBetween)}));
  const int down = (static_cast<int>(figure.panels.size()) + across - 1) / across;
  // Leave a line for the prompt.
  const int height = std::max(9, (terminal.height - 1 - y - names.height()) / down);
  Terminal share{terminal.mode, (terminal.width - (across - 1) * kBetween) / across, height};

  int x = 0, bottom = y;
  for (const auto& panel : figure.panels) {
    const auto* map = std::get_if<Heatmap>(&panel);
    const Screen drawn =
        map ? draw_screen(*map, terminal) : draw_screen(std::get<Curves>(panel), share);
    // Curves keep their share of the width, so that panels line up in columns.
    const int width = map ? drawn.width() : share.width;
    if (x > 0 && x + width > terminal.width) x = 0, y = bottom;
    sheet.paste(x, y, drawn);
    bottom = std::max(bottom, y + drawn.height());
    x += width + kBetween;
  }
  sheet.paste(0, bottom, names);
  return sheet.render(terminal);
}

}  // namespace tt::plot
