// Tables of experiments as curves: a value, or several, against a variable.
//
//   beam     BLEU    BLEU+-   chrF
//   1        35.9    0.3      58.1
//   4        37.2    0.3      59.0
//
// Fields stand between tabs. The first line names the columns, the first column has the variable: numbers, or names of any
// kind. A column NAME+- has the spread of the column NAME. A field that is empty, - or nan is a value that is missing.
#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "plot/figure.h"

namespace tt::plot {

struct TableColumn {
  std::string name;
  std::vector<double> values, spread;  // a value per line, NaN where it is missing; spread is empty without a column of it
};

struct Table {
  std::string variable;
  std::vector<std::string> places;  // the first column
  std::vector<double> numbers;      // the same as numbers, or empty if some is none
  std::vector<TableColumn> columns;
};

// Reads a table. Throws Error, with the line, if it has no values, a line has another number of fields
// than the first, a value is no number, a spread is negative or of a column that is not there, or two columns have one name.
Table read_table(LineReader& in);

struct TableView {
  bool log_x = false, log_y = false;
  std::string title = {}, y_label = {};  // without a label, that of the one column if there is one only
};

// One panel, a curve per column, in the order of the lines. Throws Error if the axes can show nothing of it.
Figure table_figure(const Table& table, const TableView& view);

}  // namespace tt::plot
