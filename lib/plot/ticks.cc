#include "plot/ticks.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/error.h"
#include "base/formatted.h"

namespace tt::plot {
namespace {

// The number of decimals needed to write multiples of `step`.
int decimals(double step) {
  return std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
}

std::string fixed(double value, int digits) {
  const std::string text = formatted("%.*f", digits, value);
  return text[0] == '-' && std::strtod(text.c_str(), nullptr) == 0 ? text.substr(1) : text;
}

struct Unit {
  double size;
  const char* suffix;
};

Unit unit_of(double largest) {
  for (const Unit unit : {Unit{1e12, "T"}, Unit{1e9, "G"}, Unit{1e6, "M"}, Unit{1e3, "k"}})
    if (largest >= unit.size * (unit.size == 1e3 ? 10 : 1))
      return unit;  // four digits need no suffix
  return {1, ""};
}

// Labels for multiples of `step` up to `largest` in magnitude: one unit and one number of decimals
// for the whole axis.
std::string label(double value, double step, double largest) {
  if (largest < 1e-3 || largest >= 1e15) {
    const int exponent = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
    const double size = std::pow(10.0, exponent);
    if (value == 0) return "0";
    return fixed(value / size, decimals(step / size)) + "e" + std::to_string(exponent);
  }
  const Unit unit = unit_of(largest);
  return value == 0 ? "0" : fixed(value / unit.size, decimals(step / unit.size)) + unit.suffix;
}

double rounded(double value, int digits) {
  return std::strtod(formatted("%.*e", digits - 1, value).c_str(), nullptr);
}

// A tick that is no multiple of `step`, with enough digits for a tenth of it, and fewer if the
// value has no more.
Tick alone(const Range& range, double value, double step) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high)),
               fine = std::pow(10, std::floor(std::log10(step)));
  const bool coarse = std::abs(std::round(value / fine) * fine - value) <= 1e-9 * step;
  return {value, label(value, coarse ? fine : fine / 10, largest)};
}

std::vector<Tick> multiples(const Range& range, double step) {
  std::vector<Tick> made;
  const double largest = std::max(std::abs(range.low), std::abs(range.high)), slack = 1e-9;
  const double first = std::ceil(range.low / step - slack),
               last = std::floor(range.high / step + slack);
  if (std::max(std::abs(first), std::abs(last)) > 1e15)
    return made;  // numbers that doubles cannot count
  for (double i = first; i <= last; ++i) made.push_back({i * step, label(i * step, step, largest)});
  return made;
}

std::vector<Tick> powers(const Range& range, int most) {
  const double low = std::log10(range.low), high = std::log10(range.high), slack = 1e-9;
  for (const auto& digits : {std::vector<double>{1, 2, 5}, std::vector<double>{1}})
    for (int every = 1; every < 700; every += digits.size() == 1 ? 1 : 700) {
      std::vector<Tick> made;
      for (double e = std::floor(low / every) * every; e <= high + slack; e += every)
        for (const double digit : digits) {
          const double value = digit * std::pow(10.0, e);
          if (std::log10(value) >= low - slack && std::log10(value) <= high + slack)
            made.push_back({value, short_number(value)});
        }
      if (!made.empty() && static_cast<int>(made.size()) <= most) return made;
    }
  return {{range.low, short_number(range.low)}};
}

}  // namespace

double Range::at(double value) const {
  if (!logarithmic) return (value - low) / (high - low);
  return value > 0 ? std::log(value / low) / std::log(high / low)
                   : std::numeric_limits<double>::quiet_NaN();
}

Range range_of(double low, double high, bool logarithmic, double margin) {
  if (!std::isfinite(low) || !std::isfinite(high) || low > high)
    return {logarithmic ? 1.0 : 0.0, logarithmic ? 10.0 : 1.0, logarithmic};
  if (logarithmic) {
    high = std::max(high, std::numeric_limits<double>::min());
    low = std::max(low, high * 1e-12);
    if (high / low < 1 + 1e-9) return {low / 2, high * 2, true};
    const double grow = std::pow(high / low, margin);
    return {low / grow, high * grow, true};
  }
  const double size = std::max(std::abs(low), std::abs(high));
  constexpr double kSmallest = 1e-300;  // width of a range: fractions of it must not be zero
  if (high - low <= std::max(size * 1e-12, kSmallest)) {
    const double half = size > kSmallest ? size / 2 : 0.5;
    return {low - half, high + half, false};
  }
  const double grow = (high - low) * margin;
  return {low - grow, high + grow, false};
}

std::vector<Tick> ticks(const Range& range, int most, bool whole) {
  TT_CHECK(most >= 1 && range.low < range.high);
  if (range.logarithmic) {
    auto made = powers(range, most);
    if (made.size() >= 3 || most < 3 || range.high >= 10 * range.low) return made;
    // Less than a decade, where equal steps are just as readable: as many as fit at the upper end,
    // where they are closest.
    const double room = (range.high - range.low) / (range.high * std::log(range.high / range.low));
    return ticks({range.low, range.high}, std::max(3, static_cast<int>(most * room)));
  }
  const int exponent =
      static_cast<int>(std::floor(std::log10((range.high - range.low) / most))) - 1;
  for (int e = exponent;; ++e)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double step = digit * std::pow(10.0, e);
      if (whole && step < 1) continue;
      auto made = multiples(range, step);
      if (static_cast<int>(made.size()) > most) continue;
      if (made.empty() && step < range.high - range.low) continue;  // too fine to count
      if (made.empty()) made.push_back(alone(range, range.low, whole ? 1 : range.high - range.low));
      return made;
    }
}

std::vector<Tick> ticks_at(const std::vector<double>& values) {
  std::vector<double> places = values;
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<Tick> made;
  for (const double value : places) made.push_back({value, short_number(value)});
  return made;
}

std::string short_number(double value) {
  const double plain = rounded(value, 6),
               size = std::abs(plain);  // rounded first, as 9,999.6 may become 10k
  if (std::abs(value) < 1e15 && size >= 1e4) {
    const double few = rounded(value, 4);
    const Unit unit = unit_of(std::abs(few));
    return formatted("%.4g%s", few / unit.size, unit.suffix);
  }
  return formatted("%.6g", plain);
}

}  // namespace tt::plot
