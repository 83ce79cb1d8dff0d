// Colours: two colour maps, a palette for curves, and the nearest of a terminal's 256 colours.
//
// The maps are formulas in OKLab (Ottosson, "A perceptual color space for image processing", 2020), a space where equal steps
// look equal: lightness is linear in the value, so that a picture keeps its meaning when it is printed in grey. Where a colour
// lies outside of what a screen can show, its saturation gives way, never its lightness.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tt::plot {

struct Color {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Color&) const = default;
};

inline constexpr Color kBlack{0, 0, 0}, kWhite{255, 255, 255}, kGrey{128, 128, 128}, kPaleGrey{224, 224, 224};

// A colour of OKLab in polar form: lightness in [0, 1], chroma from 0, hue in degrees; chroma is reduced into sRGB's gamut.
Color from_oklch(double lightness, double chroma, double hue);

// The OKLab lightness of a colour, in [0, 1].
double lightness(Color color);

// Colours for numbers in [0, 1].
class ColorMap {
 public:
  // Dark violet over blue and green to pale yellow: for amounts.
  static const ColorMap& sequential();
  // Blue over near white to red, symmetric in lightness: for values around zero.
  static const ColorMap& diverging();

  // The colour of `t`, held within [0, 1]; grey for NaN.
  Color at(double t) const;

 private:
  ColorMap() = default;
  std::array<Color, 257> table_;  // odd, so that the middle of a diverging map is exact
};

// The colour of curve `i`: eight that differ in hue, readable on white and on black, again from the first after that.
Color curve_color(std::size_t i);

// The index, 16 to 255, of the colour that looks nearest (in OKLab) of those in xterm's cube of 6x6x6 and its ramp of 24 greys.
int xterm_color(Color color);

}  // namespace tt::plot
