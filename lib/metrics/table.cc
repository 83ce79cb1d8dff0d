#include "metrics/table.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"

namespace tt::metrics {

namespace {

// `text` with a replacement for each of some strings.
std::string replaced(const std::string& text,
                     std::initializer_list<std::pair<std::string_view, std::string_view>> table) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    const auto* found =
        std::ranges::find_if(table, [&](const auto& each) { return rest.starts_with(each.first); });
    result += found == table.end() ? rest.substr(0, 1) : found->second;
    at += found == table.end() ? 1 : found->first.size();
  }
  return result;
}

}  // namespace

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

std::string Table::lines(const Rows& rows, const std::string& begin, const std::string& between,
                         const std::string& end) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    if (widths.size() < row.size()) widths.resize(row.size());
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], count_characters(row[c].text));
  }
  std::string result;
  for (const auto& row : rows) {
    std::string line = begin;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - count_characters(row[c].text), ' ');
      line += c ? between : "";
      line += row[c].align == kLeft ? row[c].text + padding : padding + row[c].text;
    }
    line += end;
    line.resize(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

std::string Table::text() const { return lines(rows_, "", "  ", ""); }

std::string Table::markdown() const {
  Rows rows = rows_;
  for (auto& row : rows)
    for (Cell& cell : row)
      cell.text = replaced(
          cell.text, {{"\\", "\\\\"}, {"|", "\\|"}, {"*", "\\*"}, {"<", "&lt;"}, {"&", "&amp;"}});
  if (rows.empty()) return "";
  std::vector<Cell> rule;
  for (const Cell& cell : rows[0])
    rule.push_back({cell.align == kLeft ? ":--" : "--:", cell.align});
  rows.insert(rows.begin() + 1, rule);
  return lines(rows, "| ", " | ", " |");
}

std::string Table::latex() const {
  std::string columns;
  for (const Cell& cell : rows_.empty() ? std::vector<Cell>{} : rows_[0])
    columns += cell.align == kLeft ? 'l' : 'r';
  Rows rows = rows_;
  for (auto& row : rows)
    for (Cell& cell : row)
      cell.text = replaced(cell.text, {{"\\", "\\textbackslash{}"},
                                       {"~", "\\textasciitilde{}"},
                                       {"^", "\\textasciicircum{}"},
                                       {"&", "\\&"},
                                       {"%", "\\%"},
                                       {"$", "\\$"},
                                       {"#", "\\#"},
                                       {"_", "\\_"},
                                       {"{", "\\{"},
                                       {"}", "\\}"},
                                       {"±", "$\\pm$"},
                                       {"μ", "$\\mu$"}});
  std::string text = lines(rows, "", " & ", " \\\\");
  const std::size_t head = std::min(text.find('\n') + 1, text.size());
  return "\\begin{tabular}{" + columns + "}\n\\toprule\n" + text.insert(head, "\\midrule\n") +
         "\\bottomrule\n\\end{tabular}\n";
}

std::string Table::tsv() const {
  std::string text;
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c)
      text += row[c].text + (c + 1 < row.size() ? "\t" : "\n");
  return text;
}

}  // namespace tt::metrics
