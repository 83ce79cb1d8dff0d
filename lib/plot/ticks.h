// Axes: the positions and labels of ticks.
//
// Ticks are round numbers, 1, 2 or 5 times a power of ten apart, and all labels of an axis have
// enough digits to tell its ticks apart. On a logarithmic axis they are powers of ten, also 1, 2
// and 5 times those if there is room, or equal steps if the axis spans less than a decade.
#pragma once

#include <string>
#include <vector>

namespace tt::plot {

struct Tick {
  double value;
  std::string label;
};

// A range of values on an axis. Invariant: low < high; a logarithmic range has low > 0.
struct Range {
  double low = 0, high = 1;
  bool logarithmic = false;

  // The position of `value`: 0 at low, 1 at high. NaN if a logarithmic axis cannot show it.
  double at(double value) const;
};

// The smallest non-empty range that holds `low` and `high`: equal or missing values are moved
// apart, and a logarithmic range is kept above zero. `margin` moves both ends outwards by that
// fraction of the width.
Range range_of(double low, double high, bool logarithmic = false, double margin = 0);

// Round ticks within the range, at most `most` of them and at least one. With `whole` they are
// whole numbers. Requires most >= 1.
std::vector<Tick> ticks(const Range& range, int most, bool whole = false);

// A tick at each of the values, in rising order.
std::vector<Tick> ticks_at(const std::vector<double>& values);

// A human-readable number, rounded to six digits (to four before a unit): "12k" for 12,000 and
// "3.4M"; no exponent from 0.0001 to 1e15.
std::string short_number(double value);

}  // namespace tt::plot
