// A sheet to draw on, for PNG and PDF by Cairo, or for SVG; text is measured by Pango with font
// fallback, so any script with an installed font can be drawn.
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

enum class PictureFormat { png, svg, pdf, html };

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

// Maximum width of the name of a row, a column or a place on an axis, in multiples of the text
// size.
inline constexpr double kLongestName = 10;

// The size of a text before rotation, in points, cut to `widest` (0: never). Invalid UTF-8, control
// characters and noncharacters count as U+FFFD.
Size measure(const std::string& text, double size, bool bold = false, double widest = 0);

// A finished picture.
struct Picture {
  std::string bytes;           // contents of its file
  std::set<char32_t> missing;  // characters without an installed font, drawn as boxes
};

class Canvas {
 public:
  // A white sheet. Throws Error if it would be too large.
  // Requires a format that is drawn, which a page is not (html.h).
  static std::unique_ptr<Canvas> make(PictureFormat format, Size size);
  Canvas() = default;
  virtual ~Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  virtual void fill(const Rect& area, Color color) = 0;
  virtual void frame(const Rect& area, double width, Color color) = 0;
  void line(Point from, Point to, double width, Color color) {
    polyline({from, to}, width, color, false);
  }
  virtual void polyline(const std::vector<Point>& points, double width, Color color,
                        bool dashed) = 0;
  virtual void dot(Point center, double radius, Color color) = 0;
  // Draws one line of text with its anchor (given by across and down) at `at`.
  virtual void text(Point at, const std::string& text, const TextStyle& style) = 0;
  // Fills `area` with `rows` x `columns` sharp-edged cells, colours row by row. Requires
  // colors.size() == rows * columns.
  virtual void cells(const Rect& area, std::int64_t rows, std::int64_t columns,
                     const std::vector<Color>& colors) = 0;
  // Until unclip(), nothing is drawn outside `area`.
  virtual void clip(const Rect& area) = 0;
  virtual void unclip() = 0;

  // Returns the picture; nothing may be drawn afterwards. Throws Error if Cairo failed.
  virtual Picture finish() = 0;

 protected:
  // The cells as rectangles, if they are few enough; otherwise draws nothing and returns false.
  bool few_cells(const Rect& area, std::int64_t rows, std::int64_t columns,
                 const std::vector<Color>& colors);
};

}  // namespace tt::plot
