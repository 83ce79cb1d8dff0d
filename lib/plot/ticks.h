// Axes: where the ticks stand and what is written at them.
//
// Ticks are round numbers, 1, 2 or 5 times a power of ten apart, and all labels of one axis have the digits that tell its ticks
// apart. On a logarithmic axis they are powers of ten, or 1, 2 and 5 times them where there is room, or where the axis is less
// than a decade, equal steps.
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

// The same for an axis whose end is to be read off: its last tick is at the end of the range, in place of those that would
// stand under its label.
std::vector<Tick> ticks_to_the_end(const Range& range, int most);

// A number for a person: at most so many digits (four before a unit), "12k" for 12,000 and "3.4M"; no exponent between 0.0001 and 1e15.
std::string short_number(double value, int digits = 6);

}  // namespace tt::plot
