#include "plot/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tt::plot {
namespace {

using Across = TextStyle::Across;
using Down = TextStyle::Down;

constexpr double kTick = 4;
const Color kInk{40, 40, 40}, kGrid{225, 225, 225};

std::vector<Tick> x_ticks(const Curves& curves, double width) {
  return ticks_to_the_end(ranges(curves).x, std::max(2, static_cast<int>(width / (5.5 * curves.text_size))));
}

std::vector<Tick> y_ticks(const Curves& curves, double height) {
  return ticks(ranges(curves).y, std::max(2, static_cast<int>(height / (2.5 * curves.text_size))));
}

}  // namespace

Ranges ranges(const Curves& plot) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double left = kNone, right = -kNone, low = kNone, high = -kNone;
  for (const auto& curve : plot.curves)
    for (const auto& point : curve.points) {
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
      if ((plot.log_x && point.x <= 0) || (plot.log_y && point.y <= 0)) continue;
      left = std::min(left, point.x), right = std::max(right, point.x);
      low = std::min(low, point.y), high = std::max(high, point.y);
    }
  return {plot.x ? *plot.x : range_of(left, right, plot.log_x), range_of(low, high, plot.log_y, 0.05)};
}

std::vector<std::vector<Point>> stretches(const Curve& curve, const Ranges& ranges) {
  std::vector<std::vector<Point>> made;
  bool open = false;
  for (const auto& point : curve.points) {
    if (!std::isfinite(ranges.x.at(point.x)) || !std::isfinite(ranges.y.at(point.y))) {
      open = false;
      continue;
    }
    if (!open) made.emplace_back();
    made.back().push_back(point);
    open = true;
  }
  return made;
}

Margins margins(const Curves& curves, Size plot) {
  const double size = curves.text_size, line = 1.3 * size;
  double widest = 0;
  for (const auto& tick : y_ticks(curves, plot.height)) widest = std::max(widest, measure(tick.label, size).width);
  Margins made{kTick + 3 + widest, size / 2 + 1, size, kTick + 1 + line};
  const auto across = x_ticks(curves, plot.width);
  if (!across.empty()) made.right = std::max(made.right, measure(across.back().label, size).width / 2 + 2);
  if (!curves.title.empty()) made.top = 1.2 * size + 8;
  if (!curves.x_label.empty()) made.bottom += line;
  if (!curves.y_label.empty()) made.left += line + 2;
  return made;
}

void draw(Canvas& canvas, const Curves& curves, const Rect& plot) {
  const double size = curves.text_size;
  const Ranges shown = ranges(curves);
  auto x_of = [&](double x) { return plot.x + shown.x.at(x) * plot.width; };
  auto y_of = [&](double y) { return plot.bottom() - shown.y.at(y) * plot.height; };

  for (const auto& tick : x_ticks(curves, plot.width)) {
    const double x = x_of(tick.value);
    canvas.line({x, plot.y}, {x, plot.bottom()}, 0.5, kGrid);
    canvas.line({x, plot.bottom() + 1}, {x, plot.bottom() + kTick}, 0.75, kInk);
    canvas.text({x, plot.bottom() + kTick + 1}, tick.label, {size, Across::center, Down::top, 0, false, kInk});
  }
  for (const auto& tick : y_ticks(curves, plot.height)) {
    const double y = y_of(tick.value);
    canvas.line({plot.x, y}, {plot.right(), y}, 0.5, kGrid);
    canvas.line({plot.x - kTick, y}, {plot.x - 1, y}, 0.75, kInk);
    canvas.text({plot.x - kTick - 2, y}, tick.label, {size, Across::right, Down::middle, 0, false, kInk});
  }
  canvas.frame(plot, 0.5, kInk);

  // Half of a line or of a dot may lie over the frame.
  canvas.clip({plot.x - 3, plot.y - 3, plot.width + 6, plot.height + 6});
  for (const auto& curve : curves.curves) {
    const Color color = curve_color(curve.color);
    for (const auto& stretch : stretches(curve, shown)) {
      std::vector<Point> points;
      for (const auto& point : stretch) points.push_back({x_of(point.x), y_of(point.y)});
      canvas.polyline(points, 1.3, color, curve.dashed);
      if (curve.marked || points.size() == 1)
        for (const auto& point : points) canvas.dot(point, 2.2, color);
    }
  }
  canvas.unclip();

  const Margins around = margins(curves, {plot.width, plot.height});
  if (!curves.title.empty())
    canvas.text({plot.x + plot.width / 2, plot.y - 6}, curves.title, {1.1 * size, Across::center, Down::bottom, 0, true, kInk});
  if (!curves.x_label.empty())
    canvas.text({plot.x + plot.width / 2, plot.bottom() + around.bottom}, curves.x_label,
                {size, Across::center, Down::bottom, 0, false, kInk});
  if (!curves.y_label.empty())
    canvas.text({plot.x - around.left, plot.y + plot.height / 2}, curves.y_label,
                {size, Across::center, Down::top, 90, false, kInk});
}

}  // namespace tt::plot
