// Colour maps: even in lightness, inside sRGB, and what 256 colours make of them.
#include <cmath>
#include <limits>
#include <set>

#include "plot/color.h"
#include "tests/catch.h"

namespace tt::plot {
namespace {

TEST_CASE("the sequential map's lightness is linear in the value") {
  const auto& map = ColorMap::sequential();
  const double low = lightness(map.at(0)), high = lightness(map.at(1));
  CHECK(low - high > 0.5);
  for (double t = 0; t <= 1; t += 0.05)
    CHECK(lightness(map.at(t)) == Approx(low + (high - low) * t).margin(0.01));
}

TEST_CASE(
    "the diverging map is symmetric in lightness, neutral in the middle, orange below and blue "
    "above") {
  const auto& map = ColorMap::diverging();
  for (double t = 0; t < 0.5; t += 0.05)
    CHECK(lightness(map.at(t)) == Approx(lightness(map.at(1 - t))).margin(0.012));
  const Color middle = map.at(0.5);
  CHECK(middle.r == middle.g);
  CHECK(middle.g == middle.b);
  CHECK(middle.r > 235);
  CHECK(map.at(0).r > map.at(0).b + 80);
  CHECK(map.at(1).b > map.at(1).r + 80);
  CHECK(ColorMap::sequential().at(0) == middle);
  CHECK(ColorMap::sequential().at(1) == map.at(1));
}

TEST_CASE("values outside the range are clamped, and NaN is grey") {
  const auto& map = ColorMap::sequential();
  CHECK(map.at(-5) == map.at(0));
  CHECK(map.at(7) == map.at(1));
  CHECK(map.at(std::numeric_limits<double>::infinity()) == map.at(1));
  CHECK(map.at(std::nan("")) == kGrey);
}

TEST_CASE("a colour outside the gamut keeps its lightness") {
  const Color color = from_oklch(0.6, 0.5, 150);  // far outside of sRGB
  CHECK(lightness(color) == Approx(0.6).margin(0.01));
  CHECK(from_oklch(0, 0, 0) == kBlack);
  CHECK(from_oklch(1, 0, 0) == kWhite);
}

TEST_CASE(
    "sixteen curves have colours of their own, and the first eight can be read on white and on "
    "black") {
  std::set<int> seen;
  for (std::size_t i = 0; i < 16; ++i) {
    const Color color = curve_color(i);
    seen.insert(color.r << 16 | color.g << 8 | color.b);
    if (i >= 8) continue;
    CHECK(lightness(color) > 0.5);
    CHECK(lightness(color) < 0.75);
  }
  CHECK(seen.size() == 16);
  CHECK(curve_color(16) == curve_color(0));
}

TEST_CASE("xterm's colours are found exactly where they exist") {
  CHECK(xterm_color({0, 0, 0}) == 16);
  CHECK(xterm_color({255, 255, 255}) == 231);
  CHECK(xterm_color({255, 0, 0}) == 196);
  CHECK(xterm_color({95, 135, 175}) == 16 + 36 + 6 * 2 + 3);
  CHECK(xterm_color({8, 8, 8}) == 232);
  CHECK(xterm_color({238, 238, 238}) == 255);
  CHECK(xterm_color({94, 136, 174}) == 16 + 36 + 6 * 2 + 3);  // the nearest
}

}  // namespace
}  // namespace tt::plot
