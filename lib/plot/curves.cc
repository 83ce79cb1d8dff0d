#include "plot/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace tt::plot {
namespace {

using Across = TextStyle::Across;
using Down = TextStyle::Down;

constexpr double kTick = 4, kCap = 3, kPixel = 0.5;
constexpr double kLongestPlace = 30;  // width of the name of a place, in multiples of the text size
constexpr double kLargest = 1e300;  // larger values are not drawn: their differences must be finite
const Color kInk{40, 40, 40}, kGrid{225, 225, 225};

// The labels below the plot.
struct Below {
  std::vector<Tick> ticks;
  // The labels' turn in degrees, and how far they extend down and to the left.
  double turn = 0, height = 0, reach = 0;
};

Below below(const Curves& curves, double width) {
  const double size = curves.text_size, line = 1.3 * size;
  Below made;
  made.height = line;
  if (curves.x_names.empty()) {
    made.ticks = x_ticks(curves, width, 5.5 * size, [&](const Tick& tick) {
      return measure(tick.label, size).width + size / 2;
    });
    return made;
  }
  const double pitch = width / static_cast<double>(curves.x_names.size());
  double widest = 0;
  for (const auto& name : curves.x_names)
    widest = std::max(widest, measure(name, size, false, kLongestPlace * size).width);
  if (widest + 4 > pitch)
    made.turn = 45, made.height = made.reach = (widest + line) * std::sqrt(0.5);
  const auto every =
      static_cast<std::size_t>(made.turn == 0 ? 1 : std::max(1.0, std::ceil(1.5 * line / pitch)));
  for (std::size_t i = 0; i < curves.x_names.size(); i += every)
    made.ticks.push_back({static_cast<double>(i), curves.x_names[i]});
  return made;
}

std::vector<Tick> y_ticks(const Curves& curves, double height) {
  return ticks(ranges(curves).y, std::max(2, static_cast<int>(height / (2.5 * curves.text_size))));
}

// The space that ticks and their labels need to the left of a plot of this height.
double beside(const Curves& curves, double height) {
  double widest = 0;
  for (const auto& tick : y_ticks(curves, height))
    widest = std::max(widest, measure(tick.label, curves.text_size).width);
  return kTick + 3 + widest;
}

bool can_be_shown(double value, bool logarithmic) {
  return std::abs(value) <= kLargest && (!logarithmic || value > 0);  // false for NaN
}

}  // namespace

Ranges ranges(const Curves& plot) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double left = kNone, right = -kNone, low = kNone, high = -kNone;
  for (const auto& curve : plot.curves)
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      const Point& point = curve.points[i];
      if (!can_be_shown(point.x, plot.log_x) || !can_be_shown(point.y, plot.log_y)) continue;
      left = std::min(left, point.x), right = std::max(right, point.x);
      const double spread = curve.spread.empty() ? 0 : curve.spread[i];
      for (const double y : {point.y, point.y - spread, point.y + spread})
        if (can_be_shown(y, plot.log_y)) low = std::min(low, y), high = std::max(high, y);
    }
  return {plot.x ? *plot.x : range_of(left, right, plot.log_x),
          range_of(low, high, plot.log_y, 0.05)};
}

std::vector<std::vector<Point>> stretches(const Curve& curve, const Ranges& ranges) {
  std::vector<std::vector<Point>> made;
  bool open = false;
  for (const auto& point : curve.points) {
    if (!can_be_shown(point.x, ranges.x.logarithmic) ||
        !can_be_shown(point.y, ranges.y.logarithmic)) {
      open = false;
      continue;
    }
    if (!open || !curve.joined) made.emplace_back();
    made.back().push_back(point);
    open = true;
  }
  return made;
}

void leave_out_the_empty(Curves& plot) {
  const Ranges shown = ranges(plot);
  std::erase_if(plot.curves, [&](const auto& curve) { return stretches(curve, shown).empty(); });
}

std::vector<Point> thinned(const std::vector<Point>& path, double step) {
  std::vector<Point> made;
  for (std::size_t begin = 0, end = 0; begin < path.size(); begin = end) {
    const double column = std::floor(path[begin].x / step);
    std::size_t low = begin, high = begin;
    for (end = begin + 1; end < path.size() && std::floor(path[end].x / step) == column; ++end) {
      if (path[end].y < path[low].y) low = end;
      if (path[end].y > path[high].y) high = end;
    }
    for (const std::size_t kept : std::set<std::size_t>{begin, low, high, end - 1})
      made.push_back(path[kept]);
  }
  return made;
}

std::vector<std::pair<Point, Point>> bars(const Curve& curve, const Ranges& ranges) {
  std::vector<std::pair<Point, Point>> made;
  for (std::size_t i = 0; i < curve.spread.size(); ++i) {
    const auto [x, y] = curve.points[i];
    const double spread = curve.spread[i];
    if (!can_be_shown(x, ranges.x.logarithmic) || !can_be_shown(y, ranges.y.logarithmic) ||
        !std::isfinite(spread))
      continue;
    made.push_back(
        {{x, std::max(y - spread, ranges.y.low)}, {x, std::min(y + spread, ranges.y.high)}});
  }
  return made;
}

std::vector<double> sidesteps(const Curves& curves, double width, double step) {
  std::vector<double> made(curves.curves.size());
  const Range x = ranges(curves).x;
  std::set<double> places;
  std::vector<std::size_t> with_bars;
  for (std::size_t i = 0; i < curves.curves.size(); ++i) {
    if (curves.curves[i].spread.empty()) continue;
    with_bars.push_back(i);
    for (const Point& point : curves.curves[i].points)
      if (can_be_shown(point.x, curves.log_x)) places.insert(width * x.at(point.x));
  }
  double nearest = width;
  for (auto place = places.begin(); place != places.end() && std::next(place) != places.end();
       ++place)
    nearest = std::min(nearest, *std::next(place) - *place);
  const auto count = static_cast<double>(with_bars.size());
  for (std::size_t i = 0; i < with_bars.size(); ++i)
    made[with_bars[i]] =
        (static_cast<double>(i) - (count - 1) / 2) * std::min(step, nearest / (count + 1));
  return made;
}

std::vector<Tick> x_ticks(const Curves& curves, double width, double room,
                          const std::function<double(const Tick&)>& text_width) {
  const Range x = ranges(curves).x;
  if (curves.x_values.empty()) return ticks(x, std::max(2, static_cast<int>(width / room)));
  const auto all = ticks_at(curves.x_values);
  std::vector<Tick> made;
  const auto place = [&](const Tick& tick) { return width * x.at(tick.value); };
  const double first_end = place(all[0]) + text_width(all[0]) / 2;
  double free = width + 1e9;  // from the end, where places that grow by a factor have most room
  for (std::size_t i = all.size(); i-- > 0;) {
    const double at = place(all[i]), half = text_width(all[i]) / 2;
    const bool beside_first = i > 0 && !made.empty() && at - half < first_end;
    if (!(at + half <= free) || beside_first) continue;
    free = at - half;
    made.insert(made.begin(), all[i]);
  }
  return made;
}

Margins margins(const Curves& curves, Size plot) {
  const double size = curves.text_size, line = 1.3 * size;
  const Below names = below(curves, plot.width);
  Margins made{beside(curves, plot.height), size / 2 + 1, size, kTick + 1 + names.height};
  if (names.turn == 0)
    made.right = std::max(made.right, measure(names.ticks.back().label, size).width / 2 + 2);
  if (!curves.title.empty()) made.top = 1.2 * size + 8;
  if (!curves.x_label.empty()) made.bottom += line;
  if (!curves.y_label.empty()) made.left += line + 2;
  if (!curves.x_names.empty())  // the first extends below them
    made.left = std::max(made.left,
                         names.reach - plot.width / static_cast<double>(curves.x_names.size()) / 2);
  return made;
}

void draw(Canvas& canvas, const Curves& curves, const Rect& plot) {
  const double size = curves.text_size;
  const Ranges shown = ranges(curves);
  auto x_of = [&](double x) { return plot.x + shown.x.at(x) * plot.width; };
  auto y_of = [&](double y) { return plot.bottom() - shown.y.at(y) * plot.height; };

  const Below names = below(curves, plot.width);
  for (const auto& tick : names.ticks) {
    const double x = x_of(tick.value);
    canvas.line({x, plot.y}, {x, plot.bottom()}, 0.5, kGrid);
    canvas.line({x, plot.bottom() + 1}, {x, plot.bottom() + kTick}, 0.75, kInk);
    const bool level = names.turn == 0;
    canvas.text({x, plot.bottom() + kTick + 1}, tick.label,
                {size, level ? Across::center : Across::right, level ? Down::top : Down::middle,
                 names.turn, false, kInk, kLongestPlace * size});
  }
  for (const auto& tick : y_ticks(curves, plot.height)) {
    const double y = y_of(tick.value);
    canvas.line({plot.x, y}, {plot.right(), y}, 0.5, kGrid);
    canvas.line({plot.x - kTick, y}, {plot.x - 1, y}, 0.75, kInk);
    canvas.text({plot.x - kTick - 2, y}, tick.label,
                {size, Across::right, Down::middle, 0, false, kInk});
  }
  canvas.frame(plot, 0.5, kInk);

  // Half of a line or dot may overlap the frame.
  canvas.clip({plot.x - 3, plot.y - 3, plot.width + 6, plot.height + 6});
  const std::vector<double> steps = sidesteps(curves, plot.width, 2 * kCap + 2);
  for (std::size_t i = 0; i < curves.curves.size(); ++i) {
    const Curve& curve = curves.curves[i];
    const Color color = curve_color(curve.color);
    for (const auto& [low, high] : bars(curve, shown)) {
      const double x = x_of(low.x) + steps[i];
      canvas.line({x, y_of(low.y)}, {x, y_of(high.y)}, 1, color);
      for (const double y : {y_of(low.y), y_of(high.y)})
        canvas.line({x - kCap, y}, {x + kCap, y}, 1, color);
    }
    for (const auto& stretch : stretches(curve, shown)) {
      std::vector<Point> points;
      for (const auto& point : stretch) points.push_back({x_of(point.x) + steps[i], y_of(point.y)});
      points = thinned(points, kPixel);
      canvas.polyline(points, 1.3, color, curve.dashed);
      if (curve.marked || stretch.size() == 1)
        for (const auto& point : points) canvas.dot(point, 2.2, color);
    }
  }
  canvas.unclip();

  const Margins around = margins(curves, {plot.width, plot.height});
  if (!curves.title.empty())
    canvas.text({plot.x + plot.width / 2, plot.y - 6}, curves.title,
                {1.1 * size, Across::center, Down::bottom, 0, true, kInk, plot.width});
  if (!curves.x_label.empty())
    canvas.text({plot.x + plot.width / 2, plot.bottom() + around.bottom}, curves.x_label,
                {size, Across::center, Down::bottom, 0, false, kInk, plot.width});
  if (!curves.y_label.empty())
    canvas.text({plot.x - beside(curves, plot.height) - 1.3 * size - 2, plot.y + plot.height / 2},
                curves.y_label, {size, Across::center, Down::top, 90, false, kInk, plot.height});
}

}  // namespace tt::plot
