// Plots and tables of positional encodings, from a formula or learned: a matrix with a row per
// position.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/file.h"
#include "plot/figure.h"

namespace tt::plot {

// Encodings of the positions first .. first + rows - 1, values [rows, columns].
struct EncodingTable {
  std::string title;
  std::int64_t first = 0, rows = 0, columns = 0;
  std::vector<float> values;
};

// The encodings as a heatmap, positions downwards and dimensions across, colours symmetric around
// zero. `apart`: even and odd dimensions, sines and cosines, each in a panel. As neighbours they
// would be stripes, of which a picture that is scaled makes patterns that are not there.
Figure heatmap_of(const EncodingTable& table, bool apart = false);

// The dot products of every two rows, PE PE^T, [rows, rows], summed in double.
std::vector<float> similarity(const EncodingTable& table);
Figure similarity_of(const EncodingTable& table);

// The chosen dimensions as curves over the positions. Requires 0 <= dimension < columns for each.
Figure curves_of(const EncodingTable& table, const std::vector<std::int64_t>& dimensions);

// wavelengths[dimension] over the dimensions, on a logarithmic axis.
Figure wavelengths_of(const std::string& title, const std::vector<double>& wavelengths);

// Parses dimensions: numbers and ranges, "4,5,6" or "0-3,8", in the order given. Throws Error if
// the text is invalid or names a dimension outside [0, columns).
std::vector<std::int64_t> parse_dimensions(const std::string& text, std::int64_t columns);

// A matrix [rows, columns] whose rows and columns have numbers, counted from the first ones.
struct NumberedMatrix {
  std::int64_t first_row, first_column, rows, columns;
  const std::vector<float>& values;
};

// Writes a matrix as tab-separated lines: a header of `corner` and the numbers of columns, then for
// each row its number and its values, with enough digits to read back the same floats. `chosen`:
// indices of the columns that are written; empty: all.
void write_tsv(Output& out, const std::string& corner, const NumberedMatrix& matrix,
               const std::vector<std::int64_t>& chosen = {});

}  // namespace tt::plot
