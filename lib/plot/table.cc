#include "plot/table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/number.h"
#include "base/report.h"
#include "base/setting.h"
#include "base/split.h"

namespace tt::plot {
namespace {

const std::string kSpread = "+-";

std::vector<std::string> fields_of(std::string_view line) {
  const auto fields = split(line, '\t');
  return {fields.begin(), fields.end()};
}

// NaN for a missing value; nullopt if it is not a number.
std::optional<double> number_of(const std::string& text) {
  if (text.empty() || text == "-" || text == "nan" || text == "NaN")
    return std::numeric_limits<double>::quiet_NaN();
  const auto value = number_in<double>(std::string_view(text).substr(text[0] == '+'));
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// The destination of a column of the file: a column of values, or its spread.
struct Target {
  std::size_t column;
  bool spread;
};

std::vector<Target> targets_of(const std::vector<std::string>& head, Table& table,
                               const std::string& where) {
  if (head.size() < 2)
    throw Error(where,
                ": has only one column; give the variable and its values, separated by tabs");
  std::set<std::string> names;
  for (std::size_t i = 1; i < head.size(); ++i) {
    if (!names.insert(head[i]).second)
      throw Error(where, ": two columns are named ", in_quotes(head[i]), "; rename one");
    if (!head[i].ends_with(kSpread)) table.columns.push_back({head[i], {}, {}});
  }
  std::vector<Target> made;
  for (std::size_t i = 1, next = 0; i < head.size(); ++i) {
    if (!head[i].ends_with(kSpread)) {
      made.push_back({next++, false});
      continue;
    }
    const std::string name = head[i].substr(0, head[i].size() - kSpread.size());
    const auto of =
        std::ranges::find_if(table.columns, [&](const auto& one) { return one.name == name; });
    if (of == table.columns.end())
      throw Error(where, ": ", in_quotes(head[i]), " is the spread of a column ", in_quotes(name),
                  ", which does not exist");
    made.push_back({static_cast<std::size_t>(of - table.columns.begin()), true});
  }
  return made;
}

}  // namespace

Table read_table(LineReader& in) {
  Table table;
  std::string_view line;
  if (!in.next(line))
    throw Error(in.name(),
                ": is empty; give a line with the column names, and the lines of the table");
  const auto head = fields_of(line);
  const auto targets = targets_of(head, table, in.where());
  table.variable = head[0];
  bool numbers = true;
  while (in.next(line)) {
    const auto fields = fields_of(line);
    if (fields.size() != head.size())
      throw Error(in.where(), ": ", count_of(fields.size(), "tab-separated field"),
                  ", but the first line has ", head.size());
    table.places.push_back(fields[0]);
    const auto place = number_of(fields[0]);
    numbers = numbers && place && std::isfinite(*place);
    if (numbers) table.numbers.push_back(*place);
    for (std::size_t i = 1; i < fields.size(); ++i) {
      const auto value = number_of(fields[i]);
      if (!value)
        throw Error(in.where(), ": ", in_quotes(fields[i]), " in column ", in_quotes(head[i]),
                    " is not a number; leave the field empty for a missing value");
      const auto [column, spread] = targets[i - 1];
      if (spread && *value < 0)
        throw Error(in.where(), ": the spread ", in_quotes(fields[i]), " is negative");
      (spread ? table.columns[column].spread : table.columns[column].values).push_back(*value);
    }
  }
  if (table.places.empty()) throw Error(in.name(), ": has no lines after the column names");
  if (std::ranges::none_of(table.columns, [](const auto& column) {
        return std::ranges::any_of(column.values,
                                   [](double value) { return std::isfinite(value); });
      }))
    throw Error(in.name(), ": all its values are missing");
  if (!numbers) table.numbers.clear();
  return table;
}

Figure table_figure(const Table& table, const TableView& view) {
  Curves curves;
  curves.x_label = table.variable;
  curves.y_label = view.y_label;
  curves.log_x = view.log_x, curves.log_y = view.log_y;
  const bool single = table.columns.size() == 1;
  if (single && curves.y_label.empty()) curves.y_label = table.columns[0].name;
  if (table.numbers.empty()) {
    if (view.log_x)
      throw SettingError(
          Setting{"log_x"},
          " needs numbers in the first column, but it has names; give numbers, or omit it");
    curves.x_names = table.places;
    curves.x = Range{-0.5, static_cast<double>(table.places.size()) - 0.5};
  }
  // Few places are marked themselves: 64, 128 and 256, not 100 and 200.
  constexpr std::size_t kFewPlaces = 16;
  const std::set<double> places(table.numbers.begin(), table.numbers.end());
  if (const auto first = view.log_x ? places.upper_bound(0) : places.begin();
      places.size() <= kFewPlaces && first != places.end()) {
    curves.x_values.assign(first, places.end());
    // with room for bars at the ends
    curves.x = range_of(*first, *places.rbegin(), view.log_x, 0.04);
  }
  // Places such as 5-8 and 9+ have an order; a single curve through others would show one that is
  // not there.
  const auto begins_with_digit = [](const auto& place) {
    return place[0] >= '0' && place[0] <= '9';
  };
  const bool ordered =
      !table.numbers.empty() || std::ranges::all_of(table.places, begins_with_digit);
  for (const auto& column : table.columns) {
    Curve curve;
    curve.name = single ? "" : column.name;
    curve.color = curves.curves.size();
    curve.marked = table.places.size() <= 100;
    curve.joined = !single || ordered;
    curve.spread = column.spread;
    for (std::size_t i = 0; i < column.values.size(); ++i)
      curve.points.push_back(
          {table.numbers.empty() ? static_cast<double>(i) : table.numbers[i], column.values[i]});
    curves.curves.push_back(std::move(curve));
  }
  leave_out_the_empty(curves);
  if (curves.curves.empty())
    throw Error("the table has no values that the axes can show; ",
                view.log_x || view.log_y ? "a logarithmic axis shows only positive ones"
                                         : "they are too large");
  return {"", {curves}};
}

}  // namespace tt::plot
