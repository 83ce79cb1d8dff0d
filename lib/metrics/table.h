// A table of text, aligned for reading, or in a language for tables.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace tt::metrics {

class Table {
 public:
  enum Align { kLeft, kRight };

  // Begins a row with cells, the first left-aligned and the others right-aligned. The first row is
  // the head.
  Table& row(std::initializer_list<std::string> cells);
  // Adds a cell to the last row. Requires that there is one.
  Table& cell(const std::string& text, Align align = kRight);

  // All rows, each ending in LF. Columns are as wide as their widest cell, in characters, and
  // separated by two spaces.
  std::string text() const;
  // The table with the characters that separate the columns in Markdown, and its line below the
  // head.
  std::string markdown() const;
  // A tabular with the lines of the package booktabs.
  std::string latex() const;
  // Fields separated by tabs. Requires that no cell has a tab or an LF.
  std::string tsv() const;

 private:
  struct Cell {
    std::string text;
    Align align;
  };
  using Rows = std::vector<std::vector<Cell>>;
  static std::string lines(const Rows& rows, const std::string& begin, const std::string& between,
                           const std::string& end);
  Rows rows_;
};

}  // namespace tt::metrics
