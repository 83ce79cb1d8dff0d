// Heatmaps: reduction, geometry, and the names on their axes.
#include <cmath>
#include <numeric>

#include "plot/heatmap.h"
#include "tests/catch.h"

namespace tt::plot {
namespace {

Heatmap counted(std::int64_t rows, std::int64_t columns) {
  Heatmap map;
  map.rows = rows, map.columns = columns;
  map.values.assign(static_cast<std::size_t>(rows * columns), 0.5f);
  return map;
}

Heatmap named(std::vector<std::string> rows, std::vector<std::string> columns) {
  Heatmap map =
      counted(static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(columns.size()));
  map.y.names = std::move(rows), map.x.names = std::move(columns);
  return map;
}

TEST_CASE("a matrix that fits is not reduced") {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const auto same = reduce(values, 2, 3, 2, 3);
  CHECK(same.rows == 2);
  CHECK(same.columns == 3);
  CHECK(same.values == values);
}

TEST_CASE("a reduced matrix holds the means of its blocks, the last of which may be shorter") {
  const std::vector<float> values = {1, 3, 5, 7, 9,   //
                                     2, 4, 6, 8, 10,  //
                                     0, 0, 0, 0, 100};
  const auto made = reduce(values, 3, 5, 2, 3);
  REQUIRE(made.rows == 2);
  REQUIRE(made.columns == 3);
  CHECK(made.values == std::vector<float>{2.5, 6.5, 9.5, 0, 0, 100});
}

TEST_CASE("blocks are even, so that pairs of sine and cosine stay together") {
  CHECK(block_length(512, 77) == 8);
  CHECK(block_length(10, 10) == 1);
  CHECK(block_length(11, 10) == 2);
  CHECK(block_length(25, 10) == 4);
  std::vector<float> alternating(510);
  for (std::size_t i = 0; i < alternating.size(); ++i) alternating[i] = static_cast<float>(i % 2);
  for (const float value : reduce(alternating, 1, 510, 1, 77).values) CHECK(value == 0.5f);
}

TEST_CASE("cells are whole pixels, at most 28 points, and stay within the room") {
  for (const auto& [rows, columns] : {std::pair{5, 16}, {30, 512}, {100, 512}, {1, 1}, {50, 50}}) {
    const Size size = plot_size(counted(rows, columns), {560, 360});
    CHECK(size.width <= 560);
    CHECK(size.height <= 360);
    const double pixels = 2 * size.width / columns;
    CHECK(pixels == std::floor(pixels));
    CHECK(size.width / columns <= 28);
  }
  CHECK(plot_size(counted(5, 16), {560, 360}).width == 16 * 28);
  CHECK(plot_size(counted(30, 512), {560, 360}).width == 512);
  CHECK(plot_size(counted(5000, 5000), {560, 360}).width == Approx(560));
}

TEST_CASE("a square map has square cells, and named rows keep the height of a name") {
  Heatmap map = counted(10, 40);
  map.square = true;
  const Size size = plot_size(map, {560, 560});
  CHECK(size.width / 40 == Approx(size.height / 10));
  const Heatmap words = named(std::vector<std::string>(200, "word"), {"a"});
  CHECK(plot_size(words, {100, 100}).height >= 200 * 0.9 * words.text_size - 100);
}

TEST_CASE("margins hold the names, the labels, the title and the bar") {
  Heatmap map = named({"ab", "a longer name"}, {"x", "y"});
  map.bar = false;
  const Size plot = plot_size(map, {560, 360});
  const double plain = margins(map, plot).left;
  CHECK(plain >= measure(map.y.names[1], map.text_size).width);
  map.y.label = "query";
  CHECK(margins(map, plot).left > plain + map.text_size);
  map.y.shown = false;
  CHECK(margins(map, plot).left < 10);
  const double right = margins(map, plot).right;
  map.bar = true;
  CHECK(margins(map, plot).right > right + 20);
  map.title = "A title that is a good deal wider than two small cells";
  const Margins around = margins(map, plot);
  CHECK(around.left + plot.width + around.right >=
        measure(map.title, 1.1 * map.text_size, true).width);
}

TEST_CASE("labels longer than their sides stay within the margins") {
  Heatmap map = named({"a"}, {"x"});
  const Size plot{28, 28};
  map.y.label = map.unit = "query (target)", map.x.label = "key (target so far)";
  const Margins around = margins(map, plot);
  CHECK(around.top + 14 >= measure(map.y.label, map.text_size).width / 2);
  CHECK(around.bottom + 14 >= measure(map.y.label, map.text_size).width / 2);
  CHECK(around.left + 14 >= measure(map.x.label, map.text_size).width / 2);
  CHECK(around.right + 14 >= measure(map.x.label, map.text_size).width / 2);
  map.title = "title";  // above them
  CHECK(margins(map, plot).top >= around.top + map.text_size);
}

TEST_CASE("slanted names of the first columns do not leave the sheet") {
  Heatmap map = named({"a"}, {"a long name", "b", "c"});
  map.y.shown = false;
  const Size plot{3 * 28, 28};
  const double reach = measure(map.x.names[0], map.text_size).width * std::sqrt(0.5) - 14;
  CHECK(margins(map, plot).left >= reach);
}

TEST_CASE(
    "the mark of a word's beginning is shown as an open box, control characters are not shown") {
  CHECK(shown_name("\u2581two") == "\u2423two");
  CHECK(shown_name("食べ") == "食べ");
  CHECK(shown_name("a\x1b[31mb\n") == "a\ufffd[31mb\ufffd");
}

TEST_CASE("the colour of a value is its fraction of the range") {
  Heatmap map = counted(1, 1);
  map.low = -2, map.high = 2, map.diverging = true;
  CHECK(map.color(0) == ColorMap::diverging().at(0.5));
  CHECK(map.color(2) == ColorMap::diverging().at(1));
  CHECK(map.color(-9) == ColorMap::diverging().at(0));
}

}  // namespace
}  // namespace tt::plot
