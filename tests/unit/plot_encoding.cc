// Plots and tables of encodings: figures, similarity, parsing of dimensions, TSV.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "base/file.h"
#include "plot/encoding.h"
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

}  // namespace
}  // namespace tt::plot
