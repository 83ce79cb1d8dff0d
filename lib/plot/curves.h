// Curves: named sequences of points over common axes, linear or logarithmic.
//
// A point with a coordinate that is not finite, or not positive on a logarithmic axis, breaks its
// curve in two.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plot/canvas.h"
#include "plot/heatmap.h"
#include "plot/ticks.h"

namespace tt::plot {

struct Curve {
  std::string name;       // in the legend; curves of one name share an entry
  std::size_t color = 0;  // of curve_color()
  bool marked = false;    // dots at the points; for few points
  bool dashed = false;
  std::vector<Point> points;
  // half-length of the vertical bar at each point (NaN: no bar); empty: no bars
  std::vector<double> spread = {};
  bool joined = true;  // by lines; points that are not are dots
};

struct Curves {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::optional<Range> x = {};            // of the x axis; default: the range of the points
  std::vector<std::string> x_names = {};  // labels of the places 0, 1, ... instead of numbers
  // where ticks stand, as far as their labels have room; empty: at round numbers
  std::vector<double> x_values = {};
  std::vector<Curve> curves;
  double text_size = 10;  // points
};

// The ranges that the axes show: all points and bars (or the given x), with a small margin above
// and below.
struct Ranges {
  Range x, y;
};
Ranges ranges(const Curves& plot);

// The stretches of a curve to draw: runs of points that the axes can show, without gaps.
std::vector<std::vector<Point>> stretches(const Curve& curve, const Ranges& ranges);

// Removes the curves without any point that the axes can show.
void leave_out_the_empty(Curves& plot);

// A path without points that cannot be told apart: of neighbours in one column, `step` wide, only
// the first, the lowest, the highest and the last are kept.
std::vector<Point> thinned(const std::vector<Point>& path, double step);

// The bars of a curve's spread, from lower to upper end, as far as the axes can show them.
std::vector<std::pair<Point, Point>> bars(const Curve& curve, const Ranges& ranges);

// How far each curve is moved to the right, in units of the axis, so that bars at one place stand
// side by side: at most `step` apart, and with room between neighbouring places on an axis of
// `width` units. Zero where there is one curve with bars, or none.
std::vector<double> sidesteps(const Curves& curves, double width, double step);

// The ticks of the x axis that are not names: labels of `text_width` units do not touch on an axis
// of `width` units.
std::vector<Tick> x_ticks(const Curves& curves, double width, double room,
                          const std::function<double(const Tick&)>& text_width);

// The margins that draw() needs around a plot area of this size.
Margins margins(const Curves& curves, Size plot);

void draw(Canvas& canvas, const Curves& curves, const Rect& plot);

}  // namespace tt::plot
