#include "metrics/table.h"

#include <algorithm>

#include "base/error.h"
#include "metrics/unicode.h"

namespace tt::metrics {

Table& Table::row(std::initializer_list<std::string> cells) {
  rows_.emplace_back();
  for (const std::string& text : cells) cell(text, rows_.back().empty() ? kLeft : kRight);
  return *this;
}

Table& Table::cell(const std::string& text, Align align) {
  TT_CHECK(!rows_.empty());
  rows_.back().push_back({text, align});
  return *this;
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    if (widths.size() < row.size()) widths.resize(row.size());
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], count_code_points(row[c].text));
  }
  std::string result;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - count_code_points(row[c].text), ' ');
      line += c ? "  " : "";
      line += row[c].align == kLeft ? row[c].text + padding : padding + row[c].text;
    }
    line.resize(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

}  // namespace tt::metrics
