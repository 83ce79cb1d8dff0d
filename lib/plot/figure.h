// A figure: panels in a grid with one title and one legend for all curves; drawn as a picture or in
// a terminal.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "plot/curves.h"
#include "plot/heatmap.h"

namespace tt::plot {

using Panel = std::variant<Heatmap, Curves>;

// Panels row by row, `columns` side by side. Requires at least one panel and columns >= 1.
struct Figure {
  std::string title;
  std::vector<Panel> panels;
  std::size_t columns = 1;
  std::string x_label = {}, y_label = {};  // for all panels, below and to the left of them
};

// An entry of the legend: a name and the appearance of its curves.
struct LegendEntry {
  std::string name;
  std::size_t color;
  bool marked, dashed;
};

// The legend of all named curves: curves of the same name and look once, in order of appearance.
std::vector<LegendEntry> legend(const Figure& figure);

// The layout of the sheet, in points.
struct Placement {
  Size sheet;
  double title = 0;            // its width
  Rect panels;                 // all of them, with their labels
  std::vector<Rect> plots;     // of each panel, without its labels
  std::vector<Rect> outlines;  // of each panel, with its labels; they never overlap
  std::vector<Point> entries;  // of the legend, left ends at mid-height
};
Placement place(const Figure& figure);

// The figure as a picture, which a page is not (html.h). Throws Error if it is too large for one.
Picture draw_picture(const Figure& figure, PictureFormat format);

}  // namespace tt::plot
