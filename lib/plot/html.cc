#include "plot/html.h"

#include <nlohmann/json.hpp>

namespace tt::plot {
namespace {
using nlohmann::ordered_json;

ordered_json json_of(const Axis& axis) {
  ordered_json names = ordered_json::array();
  for (const std::string& name : axis.names) names.push_back(shown_name(name));
  return {{"label", axis.label}, {"first", axis.first}, {"step", axis.step}, {"names", names}};
}

ordered_json json_of(const Heatmap& map) {
  ordered_json colors = ordered_json::array();
  constexpr int kColors = 64;
  for (int i = 0; i <= kColors; ++i) colors.push_back(hex(map.colors().at(i / double{kColors})));
  return {{"title", map.title},     {"rows", map.rows},
          {"columns", map.columns}, {"values", map.values},
          {"x", json_of(map.x)},    {"y", json_of(map.y)},
          {"unit", map.unit},       {"range", {map.low, map.high}},
          {"square", map.square},   {"colors", colors}};
}

ordered_json json_of(const Curves& plot) {
  const Ranges shown = ranges(plot);
  ordered_json curves = ordered_json::array();
  for (const Curve& curve : plot.curves) {
    ordered_json points = ordered_json::array();
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      const Point& p = curve.points[i];
      const bool bar = i < curve.spread.size() && std::isfinite(curve.spread[i]);
      points.push_back(bar ? ordered_json{p.x, p.y, curve.spread[i]} : ordered_json{p.x, p.y});
    }
    curves.push_back({{"name", curve.name},
                      {"color", hex(curve_color(curve.color))},
                      {"marked", curve.marked},
                      {"dashed", curve.dashed},
                      {"joined", curve.joined},
                      {"points", std::move(points)}});
  }
  return {
      {"title", plot.title},
      {"x",
       {{"label", plot.x_label},
        {"log", plot.log_x},
        {"names", plot.x_names},
        {"range", {shown.x.low, shown.x.high}}}},
      {"y", {{"label", plot.y_label}, {"log", plot.log_y}, {"range", {shown.y.low, shown.y.high}}}},
      {"curves", std::move(curves)}};
}

}  // namespace

std::string html_of(const Figure& figure) {
  ordered_json data{{"title", figure.title},
                    {"columns", figure.columns},
                    {"x_label", figure.x_label},
                    {"y_label", figure.y_label},
                    {"panels", ordered_json::array()}};
  for (const Panel& panel : figure.panels)
    data["panels"].push_back(std::visit([](const auto& shown) { return json_of(shown); }, panel));
  std::string page(page_files::html);
  const auto put = [&](std::string_view mark, std::string_view text) {
    page.replace(page.find(mark), mark.size(), text);
  };
  // The figure's data come last, since they may have marks of their own; without "<" nothing in it
  // ends its element.
  put("{{style}}", page_files::style);
  put("{{script}}", page_files::script);
  std::string json;
  for (const char c : data.dump(-1, ' ', false, ordered_json::error_handler_t::replace))
    if (c == '<') json += "\\u003c";
    else json += c;
  put("{{data}}", json);
  return page;
}

}  // namespace tt::plot
