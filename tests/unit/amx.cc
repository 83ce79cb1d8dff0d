// Tiles: their emulation against the manual's pseudocode by hand, and, where a processor has tiles,
// against it bit for bit.
#include "cpu/amx.h"

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "cpu/cpu.h"
#include "tensor/bfloat16.h"
#include "tests/catch.h"

namespace tt {
namespace {

TileShapes shapes(int rows, int columns, int terms) {
  TileShapes s;
  s.rows[0] = s.rows[1] = static_cast<std::uint8_t>(rows);
  s.row_bytes[0] = static_cast<std::uint16_t>(4 * columns);
  s.row_bytes[1] = static_cast<std::uint16_t>(4 * terms);
  s.rows[2] = static_cast<std::uint8_t>(terms);
  s.row_bytes[2] = static_cast<std::uint16_t>(4 * columns);
  return s;
}

// Sums [16, 16] + left [16, 16 terms] right [16 terms, 16], each term four bytes.
template <class Tiles, bool Pairs>
std::vector<std::uint32_t> multiplied(const TileShapes& s, std::vector<std::uint32_t> sums,
                                      const std::vector<std::uint32_t>& left,
                                      const std::vector<std::uint32_t>& right) {
  Tiles::configure(s);
  Tiles::template load<0>(sums.data(), kTileRow);
  Tiles::template load<1>(left.data(), kTileRow);
  Tiles::template load<2>(right.data(), kTileRow);
  if (Pairs) Tiles::template add_pairs<0, 1, 2>();
  else Tiles::template add_fours<0, 1, 2>();
  Tiles::template store<0>(sums.data(), kTileRow);
  Tiles::release();
  return sums;
}

std::uint32_t pair(float first, float second) {
  return nearest_bfloat16(first) | std::uint32_t{nearest_bfloat16(second)} << 16;
}

// The sum of one row and one column.
float one(const std::vector<std::uint32_t>& left, const std::vector<std::uint32_t>& right,
          float before) {
  std::vector<std::uint32_t> sums(256), a(256), b(256);
  sums[0] = std::bit_cast<std::uint32_t>(before);
  for (std::size_t i = 0; i < left.size(); ++i) a[i] = left[i], b[16 * i] = right[i];
  const int terms = static_cast<int>(left.size());
  return std::bit_cast<float>(multiplied<EmulatedAmx, true>(shapes(1, 1, terms), sums, a, b)[0]);
}

TEST_CASE("emulated tiles sum even and odd terms apart, and flush what is too small") {
  CHECK(one({pair(2, 3)}, {pair(5, 7)}, 100) == 131);
  // 2^24 + 1 is no float: where the terms of a pair are added first, the ones stay.
  CHECK(one({pair(0x1p12f, 1)}, {pair(0x1p12f, 1)}, 0) == 0x1p24f);
  CHECK(one({pair(1, 1), pair(1, 1)}, {pair(1, 1), pair(1, 1)}, 0x1p24f) == 0x1p24f + 4);
  CHECK(one({pair(0x1p12f, 1), pair(1, 1)}, {pair(0x1p12f, 1), pair(1, 1)}, 0) == 0x1p24f + 2);
  CHECK(one({pair(1, 0)}, {pair(1, 0)}, -0x1p-100f) == 1);
  // Numbers, products and sums below 2^-126 are zeros.
  CHECK(one({pair(0x1p-127f, 0)}, {pair(1, 0)}, 0) == 0);
  CHECK(one({pair(1, 0)}, {pair(0x1p-130f, 0)}, 0) == 0);
  CHECK(one({pair(0x1p-64f, 0)}, {pair(0x1p-63f, 0)}, 0) == 0);
  CHECK(one({pair(0x1p-63f, 0)}, {pair(0x1p-63f, 0)}, 0) == FLT_MIN);
  CHECK(one({pair(0, 0)}, {pair(0, 0)}, 0x1p-127f) == 0);
  CHECK(one({pair(-0x1.8p-63f, 0)}, {pair(0x1p-63f, 0)}, FLT_MIN) == 0);
  CHECK(std::signbit(one({pair(-0x1.8p-63f, 0)}, {pair(0x1p-63f, 0)}, FLT_MIN)));
  CHECK(std::isnan(one({pair(INFINITY, 0)}, {pair(0, 0)}, 0)));
  CHECK(one({pair(INFINITY, 1)}, {pair(1, 1)}, 0) == INFINITY);
}

TEST_CASE("emulated tiles multiply signed by unsigned bytes, and wrap around") {
  const auto fours = [](int a, int b, int c, int d) {
    return static_cast<std::uint32_t>(a & 255) | static_cast<std::uint32_t>(b & 255) << 8 |
           static_cast<std::uint32_t>(c & 255) << 16 | static_cast<std::uint32_t>(d & 255) << 24;
  };
  std::vector<std::uint32_t> sums(256, 5), a(256), b(256);
  a[0] = fours(-128, 1, 2, 3), b[0] = fours(255, 4, 5, 200);
  a[16] = fours(127, 0, 0, 0), b[1] = fours(1, 255, 255, 255);
  const auto all = multiplied<EmulatedAmx, false>(shapes(2, 2, 1), sums, a, b);
  CHECK(static_cast<std::int32_t>(all[0]) == 5 - 128 * 255 + 4 + 10 + 600);
  CHECK(static_cast<std::int32_t>(all[1]) == 5 - 128 + 6 * 255);
  CHECK(static_cast<std::int32_t>(all[16]) == 5 + 127 * 255);
  CHECK(all[2] == 5);  // of no column that there is
  sums[0] = 0x7FFFFFFF;
  CHECK(multiplied<EmulatedAmx, false>(shapes(1, 1, 1), sums, {fours(1, 0, 0, 0)},
                                       {fours(1, 0, 0, 0)})[0] == 0x80000000u);
}

TEST_CASE("emulated tiles fail where the processor would") {
  EmulatedAmx::release();
  CHECK_THROWS(EmulatedAmx::zero<0>());
  TileShapes s = shapes(16, 16, 16);
  EmulatedAmx::configure(s);
  CHECK_NOTHROW(EmulatedAmx::add_pairs<0, 1, 2>());
  CHECK_THROWS(EmulatedAmx::zero<3>());             // has no rows
  CHECK_THROWS(EmulatedAmx::add_pairs<0, 1, 1>());  // one tile twice
  s.rows[0] = 15;
  EmulatedAmx::configure(s);
  CHECK_THROWS(EmulatedAmx::add_pairs<0, 1, 2>());  // other rows
  EmulatedAmx::release();
  for (int way = 0; way < 4; ++way) {
    TileShapes bad = shapes(16, 16, 16);
    if (way == 0) bad.palette = 2;
    if (way == 1) bad.rows[1] = 17;
    if (way == 2) bad.row_bytes[1] = 68;
    if (way == 3) bad.row_bytes[1] = 0;
    CHECK_THROWS(EmulatedAmx::configure(bad));
  }
}

TEST_CASE("products in bfloat16 by tiles are sums over stretches of 32 terms") {
  constexpr std::int64_t m = 37, n = 45, k = 835;
  std::vector<float> a(m * k), b(k * n), y(m * n);
  Random numbers(1);
  for (float& v : a) v = numbers.normal();
  for (float& v : b) v = numbers.normal();
  paired_product({false, false, float32(a.data(), m, k), float32(b.data(), k, n), false,
                  float32(y.data(), m, n)},
                 emulated_paired_amx());
  const auto number = [](float x) { return widen(nearest_bfloat16(x)); };
  for (std::int64_t r = 0; r < m; ++r)
    for (std::int64_t c = 0; c < n; ++c) {
      float sum = 0;
      for (std::int64_t i = 0; i < k; i += 32) {
        float parts[2] = {};
        for (std::int64_t t = i; t < std::min(k, i + 32); ++t)
          parts[t % 2] = std::fma(number(a[static_cast<std::size_t>(r * k + t)]),
                                  number(b[static_cast<std::size_t>(t * n + c)]), parts[t % 2]);
        sum += parts[0] + parts[1];
      }
      REQUIRE(y[static_cast<std::size_t>(r * n + c)] == sum);
    }
}

#if defined(__x86_64__)
TEST_CASE("this processor's tiles are those that are emulated, to the bit") {
  if (!Amx::available()) {
    WARN("this processor has no tiles");
    return;
  }
  Random numbers(2);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::uint32_t> sums(256), a(256), b(256);
    // Numbers of all sizes, or of a few near 2^-126.
    const float spread = i % 4 == 0 ? 0x1p-63f : i % 4 == 1 ? 0x1p-126f : 1;
    const auto some = [&] { return pair(spread * numbers.normal(), spread * numbers.normal()); };
    for (std::size_t q = 0; q < 256; ++q) {
      sums[q] = std::bit_cast<std::uint32_t>(spread * spread * numbers.normal());
      a[q] = some(), b[q] = some();
    }
    const TileShapes s = shapes(1 + i % 16, 1 + i / 16 % 16, 1 + i / 3 % 16);
    CHECK(multiplied<Amx, true>(s, sums, a, b) == multiplied<EmulatedAmx, true>(s, sums, a, b));
    CHECK(multiplied<Amx, false>(s, sums, a, b) == multiplied<EmulatedAmx, false>(s, sums, a, b));
  }
}
#endif

}  // namespace
}  // namespace tt
