// A table of text: columns as wide as their widest cell, in code points, with two spaces between them.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace tt::metrics {

class Table {
 public:
  enum Align { kLeft, kRight };

  // Begins a row with cells, the first of which stands left in its column and the others right.
  Table& row(std::initializer_list<std::string> cells);
  // Adds a cell to the last row. Requires a row.
  Table& cell(const std::string& text, Align align = kRight);
  // All rows, each with an LF.
  std::string text() const;

 private:
  struct Cell {
    std::string text;
    Align align;
  };
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace tt::metrics
