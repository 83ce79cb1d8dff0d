// A text table: columns are as wide as their widest cell, in code points, and separated by two spaces.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace tt::metrics {

class Table {
 public:
  enum Align { kLeft, kRight };

  // Begins a row with cells, the first left-aligned and the others right-aligned.
  Table& row(std::initializer_list<std::string> cells);
  // Adds a cell to the last row. Requires that there is one.
  Table& cell(const std::string& text, Align align = kRight);
  // All rows, each ending in LF.
  std::string text() const;

 private:
  struct Cell {
    std::string text;
    Align align;
  };
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace tt::metrics
