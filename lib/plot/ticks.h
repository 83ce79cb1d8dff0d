// Axes: where the ticks stand and what is written at them.
//
// Ticks are round numbers, 1, 2 or 5 times a power of ten apart (on a logarithmic axis: powers of ten, or 1, 2 and 5 times
// them where one decade fills the axis), and all labels of one axis have the digits that tell its ticks apart.
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

  // Where `value` lies: 0 at low, 1 at high. NaN for what a logarithmic axis cannot show.
  double at(double value) const;
};

// The smallest range that holds `low` and `high` and has a width: equal or no values are moved apart, and a logarithmic range
// is held above zero. With `margin` both ends move outwards by that part of the width.
Range range_of(double low, double high, bool logarithmic = false, double margin = 0);

// Round ticks within the range, at most `most` of them and at least one. With `whole` they are whole numbers.
// Requires most >= 1.
std::vector<Tick> ticks(const Range& range, int most, bool whole = false);

// A number for a person: six digits at most, "12k" for 12,000 and "3.4M"; no exponent between 0.0001 and 1e15.
std::string short_number(double value);

}  // namespace tt::plot
