#include "plot/figure.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace tt::plot {
namespace {

constexpr double kEdge = 10, kBetween = 14, kSwatch = 22, kTitleSize = 12, kLabelSize = 10,
                 kLabelRoom = 18, kLegendSize = 9;
constexpr double kLongestEntry = 360,
                 // of the legend; width up to which a title may widen the sheet
    kNarrowestTitle = 540;
const Color kInk{40, 40, 40};

// The size of a single panel; several share a sheet of about twice that.
Size room_for(const Figure& figure) {
  if (figure.panels.size() == 1) return {560, 360};
  const std::size_t across = std::min(figure.columns, figure.panels.size());
  const double width = std::max(90.0, 900 / static_cast<double>(across));
  return {width, 0.62 * width};
}

Size plot_size(const Panel& panel, Size room) {
  if (const auto* map = std::get_if<Heatmap>(&panel)) {
    // A square matrix is as high as wide.
    return plot::plot_size(*map, map->square ? Size{std::max(room.width, room.height),
                                                    std::max(room.width, room.height)}
                                             : room);
  }
  return room;
}

Margins margins(const Panel& panel, Size plot) {
  return std::visit([&](const auto& shown) { return plot::margins(shown, plot); }, panel);
}

double entry_width(const LegendEntry& entry) {
  return kSwatch + 4 + measure(entry.name, kLegendSize, false, kLongestEntry).width + 14;
}

}  // namespace

std::vector<LegendEntry> legend(const Figure& figure) {
  std::vector<LegendEntry> made;
  for (const auto& panel : figure.panels)
    if (const auto* curves = std::get_if<Curves>(&panel))
      for (const auto& curve : curves->curves) {
        if (curve.name.empty()) continue;
        if (std::any_of(made.begin(), made.end(), [&](const auto& entry) {
              return entry.name == curve.name && entry.color == curve.color &&
                     entry.dashed == curve.dashed;
            }))
          continue;
        made.push_back({curve.name, curve.color, curve.marked, curve.dashed});
      }
  return made;
}

namespace {

// Places the legend below the plots; what is above it ends at `widest` and `y`, which grow by it.
void place_legend(const Figure& figure, Placement& made, double& widest, double& y) {
  const auto entries = legend(figure);
  if (entries.empty()) return;
  for (const auto& entry : entries) widest = std::max(widest, kEdge + entry_width(entry));
  double x = made.plots[0].x;
  y += 8 + kLegendSize;
  for (const auto& entry : entries) {
    if (x > made.plots[0].x && x + entry_width(entry) > widest + 14) {
      x = made.plots[0].x;
      y += 1.6 * kLegendSize;
    }
    made.entries.push_back({x, y});
    x += entry_width(entry);
    widest = std::max(widest, x - 14);
  }
  y += kLegendSize;
}

}  // namespace

Placement place(const Figure& figure) {
  TT_CHECK(!figure.panels.empty() && figure.columns >= 1);
  const std::size_t columns = std::min(figure.columns, figure.panels.size());
  const std::size_t rows = (figure.panels.size() + columns - 1) / columns;
  const Size room = room_for(figure);
  // Plot areas in a column are aligned at the left, those in a row at the top.
  std::vector<double> left(columns), right(columns), top(rows), bottom(rows);
  std::vector<Size> sizes;
  std::vector<Margins> around;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const std::size_t row = i / columns, column = i % columns;
    sizes.push_back(plot_size(figure.panels[i], room));
    around.push_back(margins(figure.panels[i], sizes[i]));
    left[column] = std::max(left[column], std::ceil(around[i].left));
    right[column] = std::max(right[column], std::ceil(sizes[i].width + around[i].right));
    top[row] = std::max(top[row], std::ceil(around[i].top));
    bottom[row] = std::max(bottom[row], std::ceil(sizes[i].height + around[i].bottom));
  }
  Placement made;
  const double left_edge = kEdge + (figure.y_label.empty() ? 0 : kLabelRoom);
  double y = kEdge + (figure.title.empty() ? 0 : std::ceil(1.3 * kTitleSize) + 6), widest = 0;
  made.panels.y = y;
  for (std::size_t row = 0; row < rows; ++row) {
    double x = left_edge;
    for (std::size_t column = 0; column < columns && row * columns + column < figure.panels.size();
         ++column) {
      const std::size_t i = row * columns + column;
      const Rect plot{x + left[column], y + top[row], sizes[i].width, sizes[i].height};
      made.plots.push_back(plot);
      made.outlines.push_back({plot.x - around[i].left, plot.y - around[i].top,
                               around[i].left + plot.width + around[i].right,
                               around[i].top + plot.height + around[i].bottom});
      x += left[column] + right[column] + kBetween;
      widest = std::max(widest, x - kBetween);
    }
    y += top[row] + bottom[row] + kBetween;
  }
  y -= kBetween;
  if (!figure.y_label.empty())
    y = std::max(y, made.panels.y + std::ceil(measure(figure.y_label, kLabelSize).width) + 1);
  made.panels.height = y - made.panels.y;
  made.panels.x = left_edge, made.panels.width = widest - left_edge;
  if (!figure.title.empty()) {
    made.title =
        measure(figure.title, kTitleSize, true, std::max(widest - kEdge, kNarrowestTitle)).width;
    // centred below the title
    const double shift = std::max(0.0, std::floor((kEdge + made.title - widest) / 2));
    for (auto* areas : {&made.plots, &made.outlines})
      for (auto& area : *areas) area.x += shift;
    made.panels.x += shift;
    widest = std::max(widest, kEdge + made.title);
  }
  if (!figure.x_label.empty()) y += kLabelRoom;

  place_legend(figure, made, widest, y);
  made.sheet = {widest + kEdge, y + kEdge};
  return made;
}

Picture draw_picture(const Figure& figure, PictureFormat format) {
  const Placement placement = place(figure);
  const std::unique_ptr<Canvas> sheet = Canvas::make(format, placement.sheet);
  Canvas& canvas = *sheet;
  if (!figure.title.empty())
    canvas.text({placement.sheet.width / 2, kEdge}, figure.title,
                {kTitleSize, TextStyle::Across::center, TextStyle::Down::top, 0, true, kBlack,
                 placement.title + 1});
  const Rect& panels = placement.panels;
  using Across = TextStyle::Across;
  using Down = TextStyle::Down;
  if (!figure.x_label.empty())
    canvas.text({panels.x + panels.width / 2, panels.bottom() + kLabelRoom}, figure.x_label,
                {kLabelSize, Across::center, Down::bottom, 0, false, kInk, panels.width});
  if (!figure.y_label.empty())
    canvas.text({panels.x - kLabelRoom, panels.y + panels.height / 2}, figure.y_label,
                {kLabelSize, Across::center, Down::top, 90, false, kInk, panels.height});
  for (std::size_t i = 0; i < figure.panels.size(); ++i)
    std::visit([&](const auto& panel) { draw(canvas, panel, placement.plots[i]); },
               figure.panels[i]);
  const auto entries = legend(figure);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto [x, y] = placement.entries[i];
    const Color color = curve_color(entries[i].color);
    canvas.polyline({{x, y}, {x + kSwatch, y}}, 1.6, color, entries[i].dashed);
    if (entries[i].marked) canvas.dot({x + kSwatch / 2, y}, 2.4, color);
    TextStyle style;
    style.size = kLegendSize, style.widest = kLongestEntry;
    canvas.text({x + kSwatch + 4, y}, entries[i].name, style);
  }
  return canvas.finish();
}

}  // namespace tt::plot
