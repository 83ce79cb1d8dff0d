#include "plot/color.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/formatted.h"

namespace tt::plot {
namespace {

struct Linear {  // linear-light sRGB
  double r, g, b;
  bool shown() const {
    constexpr double kSlack = 1e-4;
    return std::min({r, g, b}) >= -kSlack && std::max({r, g, b}) <= 1 + kSlack;
  }
};

// Ottosson's matrices.
Linear linear(double lightness, double a, double b) {
  auto cube = [](double x) { return x * x * x; };
  const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

// The transfer function of sRGB (IEC 61966-2-1) and its inverse.
std::uint8_t encode(double x) {
  x = std::clamp(x, 0.0, 1.0);
  const double y = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * y));
}

double decode(std::uint8_t byte) {
  const double y = byte / 255.0;
  return y <= 0.04045 ? y / 12.92 : std::pow((y + 0.055) / 1.055, 2.4);
}

struct Lab {
  double l, a, b;
};

Lab lab(Color color) {
  const double r = decode(color.r), g = decode(color.g), b = decode(color.b);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

}  // namespace

std::string hex(Color color) { return formatted("#%02x%02x%02x", color.r, color.g, color.b); }

Color from_oklch(double lightness, double chroma, double hue) {
  const double angle = hue * std::numbers::pi / 180, x = std::cos(angle), y = std::sin(angle);
  double inside = 0, outside = chroma;  // the largest chroma that can be shown, by bisection
  if (linear(lightness, chroma * x, chroma * y).shown()) inside = chroma;
  for (int i = 0; i < 20 && inside < chroma; ++i) {
    const double middle = (inside + outside) / 2;
    (linear(lightness, middle * x, middle * y).shown() ? inside : outside) = middle;
  }
  const Linear color = linear(lightness, inside * x, inside * y);
  return {encode(color.r), encode(color.g), encode(color.b)};
}

double lightness(Color color) { return lab(color).l; }

ColorMap::ColorMap(double from) {
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const double t = from + (1 - from) * static_cast<double>(i) / 256, away = std::abs(t);
    table_[i] = from_oklch(0.97 - 0.55 * away, 0.14 * std::pow(away, 0.8), t < 0 ? 49 : 252);
  }
}

const ColorMap& ColorMap::sequential() {
  static const ColorMap map(0);
  return map;
}

const ColorMap& ColorMap::diverging() {
  static const ColorMap map(-1);
  return map;
}

Color ColorMap::at(double t) const {
  if (std::isnan(t)) return kGrey;
  return table_[static_cast<std::size_t>(std::lround(256 * std::clamp(t, 0.0, 1.0)))];
}

Color curve_color(std::size_t i) {
  // Neighbours are far apart in hue; lightness alternates, for people who distinguish few hues. The
  // second eight are darker, or lighter.
  static constexpr std::array<double, 8> kHue = {255, 40, 150, 330, 90, 200, 15, 290};
  const bool again = i / kHue.size() % 2 == 1;
  return from_oklch(i % 2 == 0 ? (again ? 0.42 : 0.58) : (again ? 0.8 : 0.68), again ? 0.1 : 0.16,
                    kHue[i % kHue.size()]);
}

int xterm_color(Color color) {
  static const auto palette = [] {
    constexpr std::array<std::uint8_t, 6> kLevel = {0, 95, 135, 175, 215, 255};
    std::array<Lab, 240> made;
    for (std::size_t i = 0; i < 216; ++i)
      made[i] = lab({kLevel[i / 36], kLevel[i / 6 % 6], kLevel[i % 6]});
    for (std::size_t i = 0; i < 24; ++i) {
      const auto shade = static_cast<std::uint8_t>(8 + 10 * i);
      made[216 + i] = lab({shade, shade, shade});
    }
    return made;
  }();
  const Lab wanted = lab(color);
  std::size_t best = 0;
  double least = 1e9;
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const double l = palette[i].l - wanted.l, a = palette[i].a - wanted.a,
                 b = palette[i].b - wanted.b;
    const double distance = l * l + a * a + b * b;
    if (distance < least) least = distance, best = i;
  }
  return 16 + static_cast<int>(best);
}

}  // namespace tt::plot
