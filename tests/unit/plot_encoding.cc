// Plots and tables of encodings: figures, similarity, parsing of dimensions, TSV.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "base/file.h"
#include "model/positions.h"
#include "plot/encoding.h"
#include "plot/shift.h"
#include "tests/catch.h"

namespace tt::plot {
namespace {

EncodingTable table() { return {"t", 10, 2, 3, {0.5f, -2, 0, 1, 0.1f, 4}}; }

TEST_CASE("sines and cosines stand apart, with the numbers of their dimensions") {
  EncodingTable table{"t", 0, 2, 5, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
  const Figure figure = heatmap_of(table, true);
  REQUIRE(figure.panels.size() == 2);
  const auto &sines = std::get<Heatmap>(figure.panels[0]),
             &cosines = std::get<Heatmap>(figure.panels[1]);
  CHECK(sines.values == std::vector<float>{0, 2, 4, 5, 7, 9});
  CHECK(cosines.values == std::vector<float>{1, 3, 6, 8});
  CHECK(sines.columns == 3);
  CHECK(cosines.columns == 2);
  CHECK(cosines.x.first == 1);
  CHECK(cosines.x.step == 2);
  CHECK(sines.high == cosines.high);
}

TEST_CASE(
    "the heatmap has positions downwards, dimensions across, and a range symmetric around zero") {
  const auto map = std::get<Heatmap>(heatmap_of(table()).panels.at(0));
  CHECK(map.rows == 2);
  CHECK(map.columns == 3);
  CHECK(map.y.label == "position");
  CHECK(map.y.first == 10);
  CHECK(map.x.label == "dimension");
  CHECK(map.low == -4);
  CHECK(map.high == 4);
  CHECK(map.color(0) == ColorMap::diverging().at(0.5));
}

TEST_CASE("similarity holds the product of every two rows") {
  CHECK(similarity(table()) == std::vector<float>{4.25f, 0.3f, 0.3f, 17.01f});
  const auto map = std::get<Heatmap>(similarity_of(table()).panels.at(0));
  CHECK(map.square);
  CHECK(map.low == Approx(0.3));
  CHECK(map.high == Approx(17.01));
}

TEST_CASE("NaN does not affect the colours") {
  EncodingTable broken = table();
  broken.values[4] = std::nanf("");
  const auto map = std::get<Heatmap>(similarity_of(broken).panels.at(0));
  CHECK(map.low == Approx(2.125));  // around the one product that is left, 4.25
  CHECK(map.high == Approx(6.375));
  CHECK(std::get<Heatmap>(heatmap_of(broken).panels.at(0)).high == 4);
}

TEST_CASE("dimensions become curves over the positions") {
  const auto curves = std::get<Curves>(curves_of(table(), {2, 0}).panels.at(0));
  REQUIRE(curves.curves.size() == 2);
  CHECK(curves.curves[0].name == "dimension 2");
  CHECK(curves.curves[0].points[1].x == 11);
  CHECK(curves.curves[0].points[1].y == 4);
  CHECK(curves.curves[1].points[0].y == 0.5);
}

TEST_CASE("dimensions are numbers and ranges") {
  using List = std::vector<std::int64_t>;
  CHECK(parse_dimensions("4,5,6", 512) == List{4, 5, 6});
  CHECK(parse_dimensions("0-2,511,1", 512) == List{0, 1, 2, 511, 1});
  for (const char* text : {"", "4,", ",4", "a", "4-", "-4", "5-3", "4;5", "0x3", "512",
                           "99999999999999999999", "1-512"})
    CHECK_THROWS_AS(parse_dimensions(text, 512), Error);
}

TEST_CASE("TSV has a header, row numbers, and enough digits to read back the same floats") {
  char name[] = "/tmp/tt-tsv-XXXXXX";
  close(mkstemp(name));
  {
    Output out(name);
    write_tsv(out, "position", {10, 0, 2, 3, table().values}, {1, 2});
    write_tsv(out, "position", {0, 5, 1, 1, {1.0f / 3}});
    out.close();
  }
  CHECK(read_file(name) == "position\t1\t2\n10\t-2\t0\n11\t0.1\t4\nposition\t5\n0\t0.33333334\n");
  std::remove(name);
}

EncodingTable sinusoids(std::int64_t rows, std::int64_t d, PositionLayout layout) {
  EncodingTable table{"t", 3, rows, d, std::vector<float>(static_cast<std::size_t>(rows * d))};
  sinusoidal_positions(table.values.data(), table.first, rows, d, layout);
  return table;
}

std::vector<std::vector<double>> errors_of(const EncodingTable& table, std::int64_t by,
                                           const std::vector<float>& exact) {
  const Figure figure = shift_of(table, by, exact, fitted_shift(table, by));
  std::vector<std::vector<double>> errors;
  for (const Curve& curve : std::get<Curves>(figure.panels.at(1)).curves)
    for (errors.emplace_back(); const Point& point : curve.points) errors.back().push_back(point.y);
  return errors;
}

TEST_CASE("an encoding is a rotation of that k positions before, in every layout") {
  for (const auto layout :
       {PositionLayout::interleaved, PositionLayout::concatenated, PositionLayout::tensor2tensor}) {
    const EncodingTable table = sinusoids(40, 8, layout);
    std::vector<float> exact(64);
    rotate_positions(exact.data(), 5, 8, layout);
    const auto errors = errors_of(table, 5, exact);
    REQUIRE(errors.size() == 3);
    CHECK(errors[0].size() == 35);
    CHECK(errors[1].size() == 18);
    CHECK(errors[2].size() == 17);
    for (const auto& all : errors)
      for (const double error : all) CHECK(error < 1e-4);
  }
}

TEST_CASE("of encodings without order a map is found where it is fitted, and nowhere else") {
  EncodingTable table{"t", 0, 12, 8, {}};
  std::uint32_t state = 1;
  for (int i = 0; i < 96; ++i) {
    state = state * 1664525u + 1013904223u;
    table.values.push_back(static_cast<float>(state >> 8) / float{1 << 23} - 1);
  }
  const auto errors = errors_of(table, 1, {});
  REQUIRE(errors.size() == 2);
  for (const double error : errors[0]) CHECK(error < 1e-4);
  for (const double error : errors[1]) CHECK(error > 0.3);
}

TEST_CASE("a map is not fitted to what is no number") {
  EncodingTable broken = table();
  broken.values[4] = std::nanf("");
  CHECK_THROWS_AS(fitted_shift(broken, 1), Error);
}

}  // namespace
}  // namespace tt::plot
