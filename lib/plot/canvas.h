// A sheet to draw on, using Cairo, for PNG, SVG or PDF; text is set by Pango with font fallback, so any script with an installed
// font can be drawn.
//
// Coordinates are points (1/72 inch) from the upper left corner; a PNG has two pixels per point.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "plot/color.h"

namespace tt::plot {

struct Point {
  double x = 0, y = 0;
};

struct Size {
  double width = 0, height = 0;
};

struct Rect {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

enum class PictureFormat { png, svg, pdf };

// Text style. `turn` is in degrees, counter-clockwise, about the anchor.
struct TextStyle {
  enum class Across { left, center, right };
  enum class Down { top, middle, bottom };
  double size = 10;  // points
  Across across = Across::left;
  Down down = Down::middle;
  double turn = 0;
  bool bold = false;
  Color color = kBlack;
  double widest = 0;  // points; longer text is cut and ends with an ellipsis (0: no limit)
};

// Maximum width of the name of a row, a column or a place on an axis, in multiples of the text size.
inline constexpr double kLongestName = 10;

// The size of a text before rotation, in points, cut to `widest` (0: never). Invalid UTF-8, control characters and
// noncharacters count as U+FFFD.
Size measure(const std::string& text, double size, bool bold = false, double widest = 0);

// A finished picture.
struct Picture {
  std::string bytes;           // contents of its file
  std::set<char32_t> missing;  // characters without an installed font, drawn as boxes
};

class Canvas {
 public:
  // A white sheet. Throws Error if it would be too large.
  Canvas(PictureFormat format, Size size);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  void fill(const Rect& area, Color color);
  void frame(const Rect& area, double width, Color color);
  void line(Point from, Point to, double width, Color color);
  void polyline(const std::vector<Point>& points, double width, Color color, bool dashed = false);
  void dot(Point center, double radius, Color color);
  // Draws one line of text with its anchor (given by across and down) at `at`.
  void text(Point at, const std::string& text, const TextStyle& style);
  // Fills `area` with `rows` x `columns` sharp-edged cells, colours row by row. Requires colors.size() == rows * columns.
  void cells(const Rect& area, std::int64_t rows, std::int64_t columns, const std::vector<Color>& colors);
  // Until unclip(), nothing is drawn outside `area`.
  void clip(const Rect& area);
  void unclip();

  // Returns the picture; nothing may be drawn afterwards. Throws Error if Cairo failed.
  Picture finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tt::plot
