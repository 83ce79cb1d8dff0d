// Colours: a colour map, whole and from its middle on, a palette for curves, and the nearest of a
// terminal's 256 colours.
//
// The maps are formulas in OKLab (Ottosson, "A perceptual color space for image processing", 2020),
// a space in which equal steps look equal: lightness is linear in the value, so that a picture
// keeps its meaning when printed in grey. Colours outside the gamut of a screen lose saturation,
// never lightness.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tt::plot {

struct Color {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Color&) const = default;
};

inline constexpr Color kBlack{0, 0, 0}, kWhite{255, 255, 255}, kGrey{128, 128, 128};

std::string hex(Color color);  // "#0080ff"

// An OKLab colour in polar form: lightness in [0, 1], chroma >= 0, hue in degrees; chroma is
// reduced to fit into sRGB's gamut.
Color from_oklch(double lightness, double chroma, double hue);

// The OKLab lightness of a colour, in [0, 1].
double lightness(Color color);

// Colours for numbers in [0, 1].
class ColorMap {
 public:
  // Near white to blue: for amounts.
  static const ColorMap& sequential();
  // Orange via near white to blue, symmetric in lightness: for values around zero. These two stay
  // apart for every kind of colour blindness; the pages of traces have them as well.
  static const ColorMap& diverging();

  // The colour of `t`, clamped to [0, 1]; grey for NaN.
  Color at(double t) const;

 private:
  explicit ColorMap(double from);  // of a number that the map shows as 0, from -1 to 1
  std::array<Color, 257> table_;   // odd, so that the middle of a diverging map is exact
};

// The colour of curve `i`: of sixteen, used cyclically. The first eight differ in hue and are
// readable on white and on black.
Color curve_color(std::size_t i);

// The index, 16 to 255, of the nearest colour (in OKLab) in xterm's 6x6x6 cube and its ramp of 24
// greys.
int xterm_color(Color color);

}  // namespace tt::plot
