// Tables of experiments as curves: a value, or several, against a variable.
//
//   beam     BLEU    BLEU+-   chrF
//   1        35.9    0.3      58.1
//   4        37.2    0.3      59.0
//
// Fields are separated by tabs. The first line names the columns; the first column is the variable:
// numbers, or names of any kind. A column NAME+- is the spread of the column NAME. A field that is
// empty, - or nan is a missing value.
#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "plot/figure.h"

namespace tt::plot {

struct TableColumn {
  std::string name;
  // A value per line, NaN if missing; the spread is empty if it has no column.
  std::vector<double> values, spread;
};

struct Table {
  std::string variable;
  std::vector<std::string> places;  // the first column
  std::vector<double> numbers;      // the same as numbers, or empty if any is not a number
  std::vector<TableColumn> columns;
};

// Reads a table. Throws Error, with the line, if it has no values, a line has a different number of
// fields than the first, a value is not a number, a spread is negative or belongs to no column, or
// two columns have the same name.
Table read_table(LineReader& in);

struct TableView {
  bool log_x = false, log_y = false;
  std::string y_label = {};  // default: the name of the column, if there is only one
};

// One panel with a curve per column, in the order of the lines. Throws Error if the axes can show
// no value.
Figure table_figure(const Table& table, const TableView& view);

}  // namespace tt::plot
