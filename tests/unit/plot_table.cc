// Tables: what is read, refused and drawn.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "plot/table.h"
#include "tests/catch.h"

namespace tt::plot {
namespace {

Table table_of(const std::string& text) {
  char name[] = "/tmp/tt-table-XXXXXX";
  close(mkstemp(name));
  {
    Output out(name);
    out.write(text);
    out.close();
  }
  LineReader in(name);
  std::remove(name);
  return read_table(in);
}

TEST_CASE("a table has a variable, columns and their spreads, in any order") {
  const auto table = table_of("beam\tspeed+-\tBLEU\tspeed\n1\t2\t35.5\t100\n4\t-\t\t+50\n");
  CHECK(table.variable == "beam");
  CHECK(table.numbers == std::vector<double>{1, 4});
  REQUIRE(table.columns.size() == 2);
  CHECK(table.columns[0].name == "BLEU");
  CHECK(table.columns[0].spread.empty());
  CHECK(table.columns[0].values[0] == 35.5);
  CHECK(std::isnan(table.columns[0].values[1]));
  CHECK(table.columns[1].values == std::vector<double>{100, 50});
  CHECK(table.columns[1].spread[0] == 2);
  CHECK(std::isnan(table.columns[1].spread[1]));
}

TEST_CASE("one name among the places makes them all names, side by side") {
  const auto table = table_of("length\tBLEU\n10\t30\n20\t29\n20+\t28\n");
  CHECK(table.numbers.empty());
  const auto curves = std::get<Curves>(table_figure(table, {}).panels.at(0));
  CHECK(curves.x_names == std::vector<std::string>{"10", "20", "20+"});
  CHECK(curves.curves[0].points[2].x == 2);
  CHECK(stretches(curves.curves[0], ranges(curves)).size() == 1);
  const auto dots =
      std::get<Curves>(table_figure(table_of("row\tBLEU\nbase\t30\nsmall\t29\n"), {}).panels.at(0));
  CHECK(stretches(dots.curves[0], ranges(dots)).size() == 2);
  CHECK(curves.y_label == "BLEU");
  CHECK(curves.curves[0].name.empty());
  TableView view;
  view.log_x = true;
  CHECK_THROWS_WITH(table_figure(table, view), Contains("log_x needs numbers in the first column"));
}

TEST_CASE("damaged tables are refused with the line") {
  for (const auto& [text, reason] : std::initializer_list<std::pair<const char*, const char*>>{
           {"", ": is empty"},
           {"a\tb\n", ": has no lines"},
           {"a\tb\tc\n1\t\t-\n", ": all its values are missing"},
           {"a\n1\n", ":1: has only one column"},
           {"a\tb\tb\n", ":1: two columns are named \"b\""},
           {"a\tb\tc+-\n", ":1: \"c+-\" is the spread of a column \"c\", which does not exist"},
           {"a\tb\n1\t2\n3\n", ":3: 1 tab-separated field, but the first line has 2"},
           {"a\tb\n1\t2\t3\n", ":2: 3 tab-separated fields"},
           {"a\tb\n1\t2,5\n", ":2: \"2,5\" in column \"b\" is not a number"},
           {"a\tb\n1\t2\r\n", ":2: \"2\\x0d\" in column"},
           {"a\tb\n1\t1e999\n", "is not a number"},
           {"a\tb\tb+-\n1\t2\t-3\n", ":2: the spread \"-3\" is negative"},
       }) {
    INFO(text);
    CHECK_THROWS_WITH(table_of(text), Contains(reason));
  }
}

TEST_CASE("bars of a spread are within the axes, and extend them") {
  Curves curves;
  curves.curves.push_back(
      {"a", 0, true, false, {{0, 10}, {1, 20}, {2, 30}}, {4, std::nan(""), 100}});
  const Ranges linear = ranges(curves);
  CHECK(linear.y.low < -70);
  CHECK(linear.y.high > 130);
  const auto made = bars(curves.curves[0], linear);
  REQUIRE(made.size() == 2);
  CHECK(made[0].first.y == 6);
  CHECK(made[0].second.y == 14);
  curves.log_y = true;
  const Ranges shown = ranges(curves);
  CHECK(shown.y.low > 0);
  CHECK(bars(curves.curves[0], shown)[1].first.y == shown.y.low);
}

TEST_CASE("numbers near the limits of a double are drawn or left out, but do no harm") {
  for (const double huge : {1e308, 1e300, 1e-320, 5e-324, 0.0})
    for (const bool logarithmic : {false, true}) {
      Curves curves;
      curves.log_x = curves.log_y = logarithmic;
      curves.curves.push_back({"a",
                               0,
                               true,
                               false,
                               {{-huge, -huge}, {huge, huge}, {huge / 2, huge}},
                               {huge, huge, huge}});
      INFO(huge << (logarithmic ? ", logarithmic" : ""));
      CHECK(draw_picture({"", {curves}}, PictureFormat::png).bytes.size() > 100);
    }
}

}  // namespace
}  // namespace tt::plot
