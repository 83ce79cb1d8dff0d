// Figures: placement on the sheet, the legend, curves, and the bytes of pictures.
#include <cmath>
#include <limits>

#include "base/error.h"
#include "plot/figure.h"
#include "plot/fonts.h"
#include "tests/catch.h"

namespace tt::plot {
namespace {

const double kNan = std::nan("");

Curves sample_curves(const std::string& title) {
  Curves curves;
  curves.title = title;
  curves.x_label = "update";
  curves.curves.push_back({"training", 0, false, false, {{0, 1}, {1, 2}, {2, 0.5}}});
  curves.curves.push_back({"validation", 1, true, false, {{1, 3}}});
  return curves;
}

Heatmap sample_map() {
  Heatmap map;
  map.title = "layer 1, head 1";
  map.rows = 2, map.columns = 3;
  map.values = {0, 0.2f, 0.4f, 0.6f, 0.8f, 1};
  map.y.names = {"\u2581猫", "</s>"};
  map.x.names = {"\u2581the", "\u2581cat", "</s>"};
  map.square = true;
  return map;
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.right() - 1e-6 && b.x < a.right() - 1e-6 && a.y < b.bottom() - 1e-6 &&
         b.y < a.bottom() - 1e-6;
}

TEST_CASE("panels do not overlap, are aligned, and are on the sheet with their labels") {
  Figure grid{"Title", {}, 4};
  for (int i = 0; i < 10; ++i) grid.panels.emplace_back(sample_map());
  Figure curves{"", {sample_curves("loss"), sample_curves("BLEU"), sample_curves("rate")}, 2};
  Figure wide{
      "A title much wider than the single small panel under it, which is moved to the middle",
      {sample_map()},
      1};
  for (const auto& figure : {grid, curves, wide}) {
    const Placement made = place(figure);
    REQUIRE(made.outlines.size() == figure.panels.size());
    for (std::size_t i = 0; i < made.outlines.size(); ++i) {
      const Rect& one = made.outlines[i];
      CHECK(one.x >= 0);
      CHECK(one.y >= 0);
      CHECK(one.right() <= made.sheet.width);
      CHECK(one.bottom() <= made.sheet.height);
      for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(overlap(one, made.outlines[j]));
      if (i >= figure.columns) CHECK(made.plots[i].x == made.plots[i - figure.columns].x);
      if (i % figure.columns) CHECK(made.plots[i].y == made.plots[i - 1].y);
    }
    for (const auto& entry : made.entries) {
      CHECK(entry.y < made.sheet.height);
      CHECK(entry.y > made.outlines.back().bottom());
    }
  }
}

TEST_CASE("a long name is cut, and does not stretch the picture") {
  const double whole = measure("Donaudampfschifffahrt", 10).width;
  CHECK(measure("Donaudampfschifffahrt", 10, false, whole - 1).width < whole);
  CHECK(measure("Donaudampfschifffahrt", 10, false, 50).width <= 50);
  CHECK(measure("Donaudampfschifffahrt", 10, false, whole + 1).width == whole);
  auto size_with = [](std::size_t length) {
    Heatmap map = sample_map();
    map.y.names[0] = map.x.names[1] = std::string(length, 'w');
    Curves curves = sample_curves("loss");
    curves.curves[0].name = std::string(length, 'w');
    const Size maps = place({std::string(length, 'w'), {map, map}, 2}).sheet,
               plots = place({"", {curves}, 1}).sheet;
    return std::vector<double>{maps.width, maps.height, plots.width, plots.height};
  };
  const auto long_names = size_with(60), endless = size_with(100000);
  CHECK(size_with(2) < long_names);
  for (std::size_t i = 0; i < endless.size(); ++i)
    CHECK(endless[i] == Approx(long_names[i]).margin(8));
}

TEST_CASE("labels of all panels are beside them, on the sheet") {
  Figure figure{"", {sample_map(), sample_map(), sample_map()}, 2, "key", "query"};
  const Placement with = place(figure);
  CHECK(with.panels.x > 16);  // room for a line of text
  CHECK(with.sheet.height > with.panels.bottom() + 16);
  for (const Rect& outline : with.outlines) {
    CHECK(outline.x >= with.panels.x - 1e-6);
    CHECK(outline.right() <= with.panels.right() + 1);
    CHECK(outline.bottom() <= with.panels.bottom() + 1);
  }
  figure.y_label =
      "a label that is much longer than these small panels are high, one on top of the other";
  CHECK(place(figure).panels.height >= measure(figure.y_label, 10).width);
  figure.x_label = figure.y_label = "";
  const Placement without = place(figure);
  CHECK(without.sheet.width < with.sheet.width);
  CHECK(without.sheet.height < with.sheet.height);
}

TEST_CASE("the legend names each curve once, in order") {
  const Figure figure{"", {sample_curves("a"), sample_curves("b")}, 2};
  const auto entries = legend(figure);
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].name == "training");
  CHECK(entries[1].name == "validation");
  CHECK(entries[1].marked);
}

TEST_CASE("a long legend is broken into lines that stay on the sheet") {
  Curves curves = sample_curves("");
  curves.curves.clear();
  for (std::size_t i = 0; i < 30; ++i)
    curves.curves.push_back({"dimension " + std::to_string(i), i, false, false, {{0, 0}, {1, 1}}});
  const Placement made = place({"", {curves}, 1});
  REQUIRE(made.entries.size() == 30);
  CHECK(made.entries.back().y > made.entries.front().y + 20);
  for (const auto& entry : made.entries) CHECK(entry.x + 60 < made.sheet.width);
}

TEST_CASE("a gap breaks a curve, and a logarithmic axis omits what it cannot show") {
  Curves curves;
  curves.curves.push_back(
      {"a",
       0,
       false,
       false,
       {{0, 1}, {1, 2}, {2, kNan}, {3, 4}, {4, std::numeric_limits<double>::infinity()}, {5, 6}}});
  CHECK(stretches(curves.curves[0], ranges(curves)).size() == 3);
  curves.log_y = true;
  curves.curves[0].points = {{0, 10}, {1, 0}, {2, 1000}};
  const auto made = stretches(curves.curves[0], ranges(curves));
  REQUIRE(made.size() == 2);
  CHECK(made[1][0].y == 1000);
  CHECK(ranges(curves).y.low > 1);
  CHECK(ranges(curves).y.low < 10);
}

TEST_CASE("a path is thinned to what can be told apart") {
  const std::vector<Point> path = {{0, 0},    {0.1, 5}, {0.2, 1}, {0.3, -5}, {0.4, 2},
                                   {0.45, 3}, {0.6, 1}, {2, 7},   {0.1, 4}};
  std::vector<double> ys;
  for (const Point& point : thinned(path, 0.5)) ys.push_back(point.y);
  CHECK(ys == std::vector<double>{0, 5, -5, 3, 1, 7, 4});
  CHECK(thinned({{1, 1}}, 0.5).size() == 1);
  Curves curves;
  curves.curves.push_back({"a", 0, false, false, {}});
  for (int i = 0; i < 1000000; ++i)
    curves.curves[0].points.push_back({static_cast<double>(i), static_cast<double>(i % 997)});
  CHECK(draw_picture({"", {curves}}, PictureFormat::svg).bytes.size() < 1000000);
}

TEST_CASE("axes hold all points; a given range is taken as it is") {
  Curves curves = sample_curves("");
  CHECK(ranges(curves).x.low == 0);
  CHECK(ranges(curves).x.high == 2);
  CHECK(ranges(curves).y.low < 0.5);
  CHECK(ranges(curves).y.high > 3);
  curves.x = Range{-5, 5};
  CHECK(ranges(curves).x.low == -5);
}

TEST_CASE("each format is drawn, and text of any script or bytes") {
  Figure figure{"Größe 食べる \xff", {sample_map()}, 1};
  const std::string png = draw_picture(figure, PictureFormat::png).bytes;
  CHECK(png.substr(1, 3) == "PNG");
  CHECK(draw_picture(figure, PictureFormat::svg).bytes.find("<svg") != std::string::npos);
  CHECK(draw_picture({"", {sample_curves("loss"), sample_curves("BLEU")}, 2}, PictureFormat::pdf)
            .bytes.substr(0, 5) == "%PDF-");
  // The sheet's size in pixels, two per point: bytes 16 to 23 of a PNG.
  const Size sheet = place(figure).sheet;
  auto number = [&](std::size_t at) {
    int value = 0;
    for (std::size_t i = at; i < at + 4; ++i)
      value = value * 256 + static_cast<unsigned char>(png[i]);
    return value;
  };
  CHECK(number(16) == 2 * std::ceil(sheet.width));
  CHECK(number(20) == 2 * std::ceil(sheet.height));
}

TEST_CASE("a picture knows the characters that no font has") {
  Curves curves = sample_curves("loss");
  CHECK(draw_picture({"", {curves}, 1}, PictureFormat::svg).missing.empty());
  curves.x_label = "x\U0010FFFD\u200B\x01y\U0010FFFD";  // private use, and two that leave no ink
  curves.y_label = "\uFFFE \uFDD0 \U0001FFFF";          // are no characters
  for (const auto format : {PictureFormat::png, PictureFormat::svg, PictureFormat::pdf})
    CHECK(draw_picture({"", {curves}, 1}, format).missing == std::set<char32_t>{0x10FFFD});
}

TEST_CASE("missing characters are named by script, with the packages that have them") {
  CHECK(
      missing_fonts({0x5F7C}) ==
      "no installed font has Han (彼): drawn as boxes; Debian has fonts for it in fonts-noto-cjk");
  CHECK(missing_fonts({0x5F7C, 0x306F, 0x3070, 0x3071, 0x3072, 0xFF01}) ==
        "no installed font has Han (彼), Hiragana (は ば ぱ ...) and symbols (！): drawn as boxes; "
        "Debian has fonts for it in "
        "fonts-noto-cjk");
  CHECK_THAT(missing_fonts({0x915, 0x1F600, U'a'}),
             Contains("Devanagari (क)") && Contains("Latin (a)") &&
                 Contains("in fonts-dejavu-core, fonts-noto-color-emoji and fonts-noto-core"));
  CHECK(missing_fonts({0xE000, 0x378}) ==
        "no installed font has unassigned characters (U+0378 U+E000): drawn as boxes");
}

TEST_CASE("text in SVG is text, cut where it has no room") {
  Figure figure{"Größe <&> 食べる", {sample_map()}, 1};
  const std::string svg = draw_picture(figure, PictureFormat::svg).bytes;
  for (const char* text :
       {">Größe &lt;&amp;&gt; 食べる</text>", ">layer 1, head 1</text>", ">\u2423猫</text>"})
    CHECK_THAT(svg, Contains(text));
  CHECK(svg.find("<path") == std::string::npos);
  figure.title = std::string(300, 'w');
  CHECK_THAT(draw_picture(figure, PictureFormat::svg).bytes, Contains("www\u2026</text>"));
  // More cells than can be drawn one by one.
  auto& map = std::get<Heatmap>(figure.panels[0]);
  map.x.names.clear(), map.y.names.clear();
  map.rows = map.columns = 100, map.values.assign(10000, 0.5f);
  CHECK_THAT(draw_picture(figure, PictureFormat::svg).bytes, Contains("data:image/png;base64,"));
}

TEST_CASE("bars of several curves at one place stand side by side, with room between places") {
  Curves curves;
  for (std::size_t i = 0; i < 3; ++i)
    curves.curves.push_back({"a", i, true, false, {{0, 10}, {1, 20}, {2, 30}}, {4, 4, 4}});
  curves.curves.push_back({"without", 3, true, false, {{0, 1}}});
  CHECK(sidesteps(curves, 200, 8) == std::vector<double>{-8, 0, 8, 0});
  for (const double step : sidesteps(curves, 20, 8)) CHECK(std::abs(step) <= 2.5);
  curves.curves.resize(1);
  CHECK(sidesteps(curves, 200, 8) == std::vector<double>{0});
}

TEST_CASE("ticks stand at given values as far as they have room: at the first, and from the end") {
  Curves curves;
  curves.curves.push_back({"a", 0, true, false, {{64, 1}, {128, 2}, {256, 3}}});
  const auto labels = [&](double width) {
    std::string text;
    for (const Tick& tick : x_ticks(curves, width, 50, [](const Tick&) { return 20.0; }))
      text += tick.label + " ";
    return text;
  };
  curves.x_values = {256, 64, 128};
  CHECK(labels(400) == "64 128 256 ");
  CHECK(labels(80) == "64 128 256 ");
  CHECK(labels(50) == "64 256 ");
  curves.x_values.clear();
  CHECK(labels(400) == "100 150 200 250 ");
}

TEST_CASE("a sheet larger than Cairo can draw is refused") {
  CHECK_THROWS_WITH(Canvas::make(PictureFormat::png, {40000, 10}), Contains("40000 x 10 points"));
  CHECK_THROWS_AS(Canvas::make(PictureFormat::svg, {10, std::nan("")}), Error);
}

}  // namespace
}  // namespace tt::plot
