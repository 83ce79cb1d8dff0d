#include "plot/encoding.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/split.h"

namespace tt::plot {
namespace {

std::int64_t parse_index(const std::string& text, const std::string& whole, std::int64_t columns) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text[0] == '-' || end != text.data() + text.size() ||
      error == std::errc::invalid_argument)
    throw Error("dimensions '", whole, "': '", text,
                "' is not a number; write them as 4,5,6 or 0-7");
  if (error != std::errc() || value >= columns)
    throw Error("dimension ", text, " does not exist: the encoding has the dimensions 0 to ",
                columns - 1);
  return value;
}

std::string shortest(float value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

}  // namespace

Figure heatmap_of(const EncodingTable& table, bool apart) {
  float most = 0;
  for (const float value : table.values)
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  Heatmap map;
  map.rows = table.rows, map.columns = table.columns;
  map.values = table.values;
  map.x = {"dimension"};
  map.y = {"position", table.first};
  map.unit = "value";
  map.high = most > 0 ? most : 1;
  map.low = -map.high;
  map.diverging = true;
  if (!apart) return {table.title, {map}};
  Figure figure{table.title, {}, 2};
  for (const std::int64_t odd : {0, 1}) {
    Heatmap half = map;
    half.title = odd ? "cosines" : "sines";
    half.columns = (table.columns + 1 - odd) / 2;
    half.values.clear();
    for (std::size_t i = 0; i < table.values.size(); ++i)
      if (static_cast<std::int64_t>(i) % table.columns % 2 == odd)
        half.values.push_back(table.values[i]);
    half.x.first = odd, half.x.step = 2;
    half.bar = odd == 1, half.y.shown = odd == 0;
    figure.panels.emplace_back(std::move(half));
  }
  return figure;
}

std::vector<float> similarity(const EncodingTable& table) {
  const auto n = static_cast<std::size_t>(table.rows), d = static_cast<std::size_t>(table.columns);
  std::vector<float> made(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const float *a = &table.values[i * d], *b = &table.values[j * d];
      double sum = 0;
      for (std::size_t k = 0; k < d; ++k)
        sum += static_cast<double>(a[k]) * static_cast<double>(b[k]);
      made[i * n + j] = made[j * n + i] = static_cast<float>(sum);
    }
  return made;
}

Figure similarity_of(const EncodingTable& table) {
  Heatmap map;
  map.rows = map.columns = table.rows;
  map.values = similarity(table);
  map.x = map.y = {"position", table.first};
  map.unit = "product of the encodings";
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (const float value : map.values)
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  const Range range = range_of(low, high);
  map.low = range.low, map.high = range.high;
  map.square = true;
  return {table.title, {map}};
}

Figure curves_of(const EncodingTable& table, const std::vector<std::int64_t>& dimensions) {
  Curves curves;
  curves.x_label = "position";
  curves.y_label = "value";
  for (const auto dimension : dimensions) {
    TT_CHECK(dimension >= 0 && dimension < table.columns);
    Curve curve;
    curve.name = "dimension " + std::to_string(dimension);
    curve.color = curves.curves.size();
    for (std::int64_t row = 0; row < table.rows; ++row)
      curve.points.push_back(
          {static_cast<double>(table.first + row),
           table.values[static_cast<std::size_t>(row * table.columns + dimension)]});
    curves.curves.push_back(std::move(curve));
  }
  return {table.title, {curves}};
}

Figure wavelengths_of(const std::string& title, const std::vector<double>& wavelengths) {
  Curves curves;
  curves.x_label = "dimension";
  curves.y_label = "wavelength (positions)";
  curves.log_y = true;
  Curve curve;
  for (std::size_t i = 0; i < wavelengths.size(); ++i)
    curve.points.push_back({static_cast<double>(i), wavelengths[i]});
  curve.marked = wavelengths.size() <= 64;
  curves.curves.push_back(std::move(curve));
  return {title, {curves}};
}

std::vector<std::int64_t> parse_dimensions(const std::string& text, std::int64_t columns) {
  std::vector<std::int64_t> made;
  for (const std::string_view part : split(text, ',')) {
    const std::string item(part);
    const auto dash = item.find('-', 1);
    const auto low = parse_index(item.substr(0, dash), text, columns);
    const auto high =
        dash == std::string::npos ? low : parse_index(item.substr(dash + 1), text, columns);
    if (low > high) throw Error("dimensions '", text, "': the range ", item, " is reversed");
    for (auto i = low; i <= high; ++i) made.push_back(i);
  }
  return made;
}

void write_tsv(Output& out, const std::string& corner, const NumberedMatrix& matrix,
               const std::vector<std::int64_t>& chosen) {
  TT_CHECK(matrix.values.size() == static_cast<std::size_t>(matrix.rows * matrix.columns));
  std::vector<std::int64_t> columns = chosen;
  if (columns.empty())
    for (std::int64_t i = 0; i < matrix.columns; ++i) columns.push_back(i);
  std::string line = corner;
  for (const auto column : columns) line += '\t' + std::to_string(matrix.first_column + column);
  out.line(line);
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    line = std::to_string(matrix.first_row + row);
    for (const auto column : columns)
      line +=
          '\t' + shortest(matrix.values[static_cast<std::size_t>(row * matrix.columns + column)]);
    out.line(line);
  }
}

}  // namespace tt::plot
