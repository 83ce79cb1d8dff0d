// Ticks: round, within the range, few enough, and written with the digits that tell them apart.
#include <cmath>
#include <limits>
#include <set>
#include <sstream>

#include "plot/ticks.h"
#include "tests/catch.h"

namespace tt::plot {
namespace {

std::string labels(const Range& range, int most, bool whole = false) {
  std::string text;
  for (const auto& tick : ticks(range, most, whole)) text += (text.empty() ? "" : " ") + tick.label;
  return text;
}

TEST_CASE("ticks are multiples of 1, 2 or 5 times a power of ten") {
  CHECK(labels({0, 10}, 6) == "0 2 4 6 8 10");
  CHECK(labels({-1, 1}, 5) == "-1.0 -0.5 0 0.5 1.0");
  CHECK(labels({0, 512}, 6) == "0 100 200 300 400 500");
  CHECK(labels({0, 20000}, 5) == "0 5k 10k 15k 20k");
  CHECK(labels({1.72, 8.1}, 4) == "2 4 6 8");
  CHECK(labels({0, 0.0007}, 4) == "0 2e-4 4e-4 6e-4");
  CHECK(labels({1.5e6, 2.6e6}, 3) == "1.5M 2.0M 2.5M");
}

TEST_CASE("a tick alone is not rounded further than the axis is wide") {
  CHECK(labels({1234562, 1234564.5}, 1, true) == "1.234562M");
  CHECK(labels({0.6231, 0.6234}, 1) == "0.6231");
}

TEST_CASE(
    "numbers that lie closer than can be counted have no more ticks than asked for, and soon") {
  const auto made = ticks({1e12, 1e12 + 1.1}, 2000);
  CHECK_FALSE(made.empty());
  CHECK(made.size() <= 2000);
}

TEST_CASE("a counting axis has only whole ticks") {
  CHECK(labels({0, 4.5}, 9, true) == "0 1 2 3 4");
  CHECK(labels({0, 0.5}, 5, true) == "0");
}

TEST_CASE("there are never more ticks than asked for, never none, and all lie within the range") {
  for (const double low : {-1000.0, -0.3, 0.0, 0.07, 12345.0})
    for (const double width : {1e-6, 0.013, 1.0, 7.7, 512.0, 1e7})
      for (int most = 1; most < 15; ++most) {
        const Range range{low, low + width};
        const auto made = ticks(range, most);
        INFO(low << " + " << width << ", at most " << most);
        REQUIRE(!made.empty());
        REQUIRE(static_cast<int>(made.size()) <= most);
        std::set<std::string> texts;
        for (const auto& tick : made) {
          REQUIRE(range.at(tick.value) > -1e-6);
          REQUIRE(range.at(tick.value) < 1 + 1e-6);
          texts.insert(tick.label);
        }
        if (width > 1e-3) REQUIRE(texts.size() == made.size());
      }
}

TEST_CASE("a logarithmic axis has powers of ten, or 1, 2 and 5 times them when there is room") {
  CHECK(labels({1, 100, true}, 7) == "1 2 5 10 20 50 100");
  CHECK(labels({1, 1e6, true}, 7) == "1 10 100 1000 10k 100k 1M");
  CHECK(labels({1, 1e6, true}, 4) == "1 100 10k 1M");
  CHECK(labels({6.28, 62832, true}, 4) == "10 100 1000 10k");
  CHECK(labels({100, 4800, true}, 3) == "100 1000");
  CHECK(labels({2.2, 8.1, true}, 14) == "3 4 5 6 7 8");
  CHECK(labels({2900, 3600, true}, 6) == "3000 3200 3400 3600");
}

TEST_CASE("ticks at values are in order, and once") {
  std::string text;
  for (const auto& tick : ticks_at({128, 64, 256, 64, 0.5})) text += tick.label + " ";
  CHECK(text == "0.5 64 128 256 ");
}

TEST_CASE("the place of a value is its fraction of the range") {
  CHECK(Range{2, 4}.at(3) == Approx(0.5));
  CHECK(Range{1, 100, true}.at(10) == Approx(0.5));
  CHECK(std::isnan(Range{1, 100, true}.at(0)));
  CHECK(std::isnan(Range{1, 100, true}.at(-3)));
}

TEST_CASE("a range has a width whatever the values are") {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const auto& range :
       {range_of(3, 3), range_of(0, 0), range_of(-2, -2), range_of(infinite, -infinite),
        range_of(5, 5, true), range_of(0, 7, true), range_of(1, 10, true, 0.1),
        range_of(std::nan(""), 1)}) {
    CHECK(range.low < range.high);
    CHECK((!range.logarithmic || range.low > 0));
  }
  CHECK(range_of(0, 10, false, 0.05).low == Approx(-0.5));
  CHECK(range_of(3, 3).at(3) == Approx(0.5));
}

TEST_CASE("short numbers are read at a glance") {
  CHECK(short_number(12000) == "12k");
  CHECK(short_number(3400000) == "3.4M");
  CHECK(short_number(1500) == "1500");
  CHECK(short_number(-0.25) == "-0.25");
  CHECK(short_number(0) == "0");
  // Numbers that are rounded up to another number of digits.
  CHECK(short_number(999.9999) == "1000");
  CHECK(short_number(-999.9999) == "-1000");
  CHECK(short_number(9999.9999) == "10k");
  CHECK(short_number(9999.7) == "9999.7");
  CHECK(short_number(999'960) == "1M");
  CHECK(short_number(9.9996e14) == "1000T");
  CHECK(short_number(0.0009999999) == "0.001");
}

}  // namespace
}  // namespace tt::plot
