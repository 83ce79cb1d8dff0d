// Sinusoidal positions against section 3.5 of the paper, value by value.
#include "model/positions.h"

#include <cmath>
#include <vector>

#include "tests/catch.h"

namespace tt {
namespace {

std::vector<float> encode(std::int64_t first, std::int64_t n, std::int64_t d,
                          PositionLayout layout = PositionLayout::interleaved) {
  std::vector<float> out(static_cast<std::size_t>(n * d), 99.0f);
  sinusoidal_positions(out.data(), first, n, d, layout);
  return out;
}

TEST_CASE("every value is the formula's, for even and odd widths") {
  for (std::int64_t d : {1, 2, 5, 16, 512}) {
    const auto pe = encode(0, 30, d);
    for (std::int64_t pos = 0; pos < 30; ++pos)
      for (std::int64_t column = 0; column < d; ++column) {
        // The exponent is the even index below or at the column, over D: 2i/D.
        const double even = static_cast<double>(column - column % 2);
        const double angle =
            static_cast<double>(pos) * std::exp(-std::log(10000.0) * even / static_cast<double>(d));
        const double expected = column % 2 == 0 ? std::sin(angle) : std::cos(angle);
        INFO("D " << d << " position " << pos << " column " << column);
        REQUIRE(pe[static_cast<std::size_t>(pos * d + column)] == Approx(expected).margin(1e-6));
      }
  }
}

TEST_CASE("the exponent is not doubled") {
  // D = 4: dimension 2 has frequency 10000^(-2/4) = 1/100. With a doubled exponent it would be
  // 1/10000.
  const auto pe = encode(1, 1, 4);
  CHECK(pe[0] == Approx(std::sin(1.0)));
  CHECK(pe[1] == Approx(std::cos(1.0)));
  CHECK(pe[2] == Approx(0.0099998333f));
  CHECK(pe[3] == Approx(0.99995f));
}

TEST_CASE("concatenated is a permutation: all sines, then all cosines") {
  for (std::int64_t d : {1, 5, 6}) {
    const auto a = encode(0, 9, d), b = encode(0, 9, d, PositionLayout::concatenated);
    for (std::int64_t pos = 0; pos < 9; ++pos)
      for (std::int64_t column = 0; column < d; ++column) {
        const std::int64_t moved = column % 2 == 0 ? column / 2 : (d + 1) / 2 + column / 2;
        REQUIRE(a[static_cast<std::size_t>(pos * d + column)] ==
                b[static_cast<std::size_t>(pos * d + moved)]);
      }
  }
}

// get_timing_signal_1d of tensor2tensor, common_attention.py; Marian's
// tensors/cpu/tensor_operators.cpp has the same.
TEST_CASE("the waves of tensor2tensor reach from 2 pi to 10000 times that, both included") {
  const auto pe = encode(3, 1, 8, PositionLayout::tensor2tensor);
  for (int i = 0; i < 4; ++i) {
    const double angle = 3 / std::pow(10000.0, i / 3.0);
    CHECK(pe[static_cast<std::size_t>(i)] == Approx(std::sin(angle)));
    CHECK(pe[static_cast<std::size_t>(i + 4)] == Approx(std::cos(angle)));
  }
  CHECK(encode(3, 1, 2, PositionLayout::tensor2tensor)[0] == Approx(std::sin(3.0)));
}

TEST_CASE("rows do not depend on where the request begins") {
  const auto whole = encode(0, 5000, 7), part = encode(4990, 10, 7);
  REQUIRE(std::vector<float>(whole.end() - 70, whole.end()) == part);
}

TEST_CASE("a shift by one wavelength is the identity") {
  for (auto layout :
       {PositionLayout::interleaved, PositionLayout::concatenated, PositionLayout::tensor2tensor})
    for (std::int64_t dimension = 0; dimension < 9; ++dimension) {
      // The wave of a dimension turns by 2 pi / wavelength per position.
      const double turn = 2 * std::acos(-1.0) / wavelength(dimension, 9, layout);
      const float value = encode(3, 1, 9, layout)[static_cast<std::size_t>(dimension)];
      const bool is_sine =
          layout == PositionLayout::interleaved ? dimension % 2 == 0 : dimension < 5;
      CHECK(value == Approx(is_sine ? std::sin(3 * turn) : std::cos(3 * turn)).margin(1e-6));
    }
  CHECK(wavelength(0, 512) == Approx(6.283185307));
  CHECK(wavelength(511, 512) == Approx(6.283185307 * std::pow(10000.0, 510.0 / 512.0)));
}

}  // namespace
}  // namespace tt
