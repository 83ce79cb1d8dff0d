// Terminals: what is chosen from the environment, cells and escape sequences, heatmaps and curves
// as text.
#include <bit>
#include <cmath>
#include <set>
#include <sstream>

#include "base/error.h"
#include "plot/terminal.h"
#include "tests/catch.h"

namespace tt::plot {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Heatmap map_of(std::int64_t rows, std::int64_t columns, std::vector<float> values) {
  Heatmap map;
  map.rows = rows, map.columns = columns;
  map.values = std::move(values);
  map.bar = false;
  return map;
}

TEST_CASE("the terminal's mode follows COLORTERM, TERM, the locale and NO_COLOR") {
  CHECK(terminal_mode("truecolor", "xterm", true, "") == TerminalMode::truecolor);
  CHECK(terminal_mode("24bit", "xterm-256color", true, "") == TerminalMode::truecolor);
  CHECK(terminal_mode("", "xterm-direct", true, "") == TerminalMode::truecolor);
  CHECK(terminal_mode("", "screen-256color", true, "") == TerminalMode::indexed);
  CHECK(terminal_mode("", "xterm", true, "") == TerminalMode::ascii);
  CHECK(terminal_mode("truecolor", "xterm-256color", false, "") ==
        TerminalMode::ascii);  // no half blocks there
  CHECK(terminal_mode("truecolor", "dumb", true, "") == TerminalMode::ascii);
  CHECK(terminal_mode("truecolor", "xterm", true, "1") == TerminalMode::ascii);
  CHECK(terminal_mode("256") == TerminalMode::indexed);
  CHECK_THROWS_AS(terminal_mode("vt100"), Error);
}

TEST_CASE("wide characters take two columns, combining ones none") {
  CHECK(display_width("two") == 3);
  CHECK(display_width("食べ") == 4);
  CHECK(display_width("e\u0301") == 1);
  CHECK(has_wide("a猫"));
  CHECK_FALSE(has_wide("Straße"));
  CHECK(cut("Straßenbahn", 6) == "Straß.");
  CHECK(cut("食べている", 6) == "食べ.");
  CHECK(cut("kurz", 6) == "kurz");
}

TEST_CASE("a sheet is written with few escape sequences and without blanks at the ends of lines") {
  Screen screen;
  screen.put(0, 0, "ab", Color{255, 0, 0});
  screen.put(2, 0, "cd", Color{255, 0, 0}, Color{0, 0, 255});
  screen.put(1, 1, "x");
  screen.put(9, 1, " ");
  CHECK(screen.render({TerminalMode::truecolor}) ==
        "\x1b[38;2;255;0;0mab\x1b[48;2;0;0;255mcd\x1b[0m\n x\n");
  CHECK(screen.render({TerminalMode::indexed}) == "\x1b[38;5;196mab\x1b[48;5;21mcd\x1b[0m\n x\n");
  CHECK(screen.render({TerminalMode::ascii}) == "abcd\n x\n");
}

TEST_CASE("text cannot bring control characters into the terminal") {
  Screen screen;
  screen.put(0, 0, "a\x1b[2Jb\r\u202e\xff");
  CHECK(screen.render({TerminalMode::ascii}) == "a\ufffd[2Jb\ufffd\ufffd\ufffd\n");
}

TEST_CASE("where the locale is not UTF-8, everything is ASCII") {
  Screen screen;
  screen.put(0, 0, "a\u00fc猫e\u0301");
  CHECK(screen.render({TerminalMode::ascii, 80, 24, false}) == "a???e\n");
}

TEST_CASE("combining characters stay with theirs, and text runs downwards") {
  Screen screen;
  screen.put(0, 0, "e\u0301猫\u0301x");
  screen.put_down(0, 1, "a猫e\u0301", 1);
  CHECK(screen.render({TerminalMode::ascii}) == "e\u0301猫\u0301x\na\n?\ne\u0301\n");
  CHECK(screen.width() == 4);
}

TEST_CASE(
    "an upper half block holds two rows of values: the upper as its letter's colour, the lower as "
    "its ground") {
  auto code = [](int kind, Color c) {
    return std::to_string(kind) + ";2;" + std::to_string(c.r) + ";" + std::to_string(c.g) + ";" +
           std::to_string(c.b);
  };
  std::vector<float> stripes(63);
  for (std::size_t i = 0; i < stripes.size(); ++i) stripes[i] = static_cast<float>(i % 2);
  const auto map = map_of(63, 1, stripes);
  const auto lines = lines_of(
      draw_screen(map, {TerminalMode::truecolor, 4, 24}).render({TerminalMode::truecolor}));
  REQUIRE(lines.size() == 33);
  const std::string low = code(38, map.color(0)), high = code(48, map.color(1)), block = "\u2580";
  CHECK(lines[1].find("\x1b[" + low + ";" + high + "m" + block) != std::string::npos);
  CHECK(lines[31].find("\x1b[" + low + "m" + block) != std::string::npos);
  CHECK(lines[31].find("48;2;") == std::string::npos);
}

TEST_CASE("in ASCII, more ink is more") {
  const auto map =
      map_of(1, 10, {0.05f, 0.15f, 0.25f, 0.35f, 0.45f, 0.55f, 0.65f, 0.75f, 0.85f, 0.95f});
  const auto lines =
      lines_of(draw_screen(map, {TerminalMode::ascii, 12, 16}).render({TerminalMode::ascii}));
  CHECK(lines[0] == "   .:-=+*#%@");
}

TEST_CASE("every line fits into the terminal, for large and small matrices and any mode") {
  for (const auto mode : {TerminalMode::truecolor, TerminalMode::indexed, TerminalMode::ascii})
    for (const auto& [rows, columns] :
         {std::pair{30, 512}, {5, 16}, {1, 1}, {400, 400}, {3, 5000}, {1000, 2}})
      for (const bool square : {false, true}) {
        auto map = map_of(rows, columns,
                          std::vector<float>(static_cast<std::size_t>(rows * columns), 0.3f));
        map.title = "A title that is longer than forty columns, so that it has to be cut";
        map.x.label = "dimension", map.y.label = "position";
        map.square = square;
        map.bar = true;
        for (const int width : {40, 80}) {
          const auto screen = draw_screen(map, {mode, width, 24});
          INFO(rows << " x " << columns << ", square " << square << ", width " << width);
          CHECK(screen.width() <= width);
          CHECK(screen.height() <= 40);
        }
      }
}

TEST_CASE("ticks are at their rows and columns") {
  auto map = map_of(5, 16, std::vector<float>(80, 0.99f));
  const auto lines =
      lines_of(draw_screen(map, {TerminalMode::ascii, 80, 12}).render({TerminalMode::ascii}));
  REQUIRE(lines.size() == 6);
  for (std::size_t row = 0; row < 5; ++row)
    CHECK(lines[row] == std::to_string(row) + " " + std::string(64, '@'));
  CHECK(lines[5] == "    0       2       4       6       8      10      12      14");
}

TEST_CASE("row names are before the rows, column names run downwards below the columns") {
  auto map = map_of(2, 3, {0.99f, 0, 0, 0, 0.99f, 0});
  map.y.names = {"\u2581猫", "が"};
  map.x.names = {"\u2581the", "cat", "。"};
  CHECK(draw_screen(map, {TerminalMode::ascii, 80, 24}).render({TerminalMode::ascii}) ==
        "_猫 @@\n"
        " が   @@\n"
        "    _ c 。\n"
        "    t a\n"
        "    h t\n"
        "    e\n");
}

TEST_CASE("a curve runs from corner to corner, and its axis has ticks") {
  Curves curves;
  curves.curves.push_back({"line", 0, false, false, {{0, 0}, {10, 10}}});
  const auto lines =
      lines_of(draw_screen(curves, {TerminalMode::ascii, 40, 12}).render({TerminalMode::ascii}));
  REQUIRE(lines.size() == 12);
  CHECK(lines[0].back() == '*');
  CHECK(lines[9].find('*') == lines[9].find_first_of("|+") + 1);
  CHECK(lines[10].find("+---") != std::string::npos);
  CHECK(lines[11].find("10") != std::string::npos);
  for (const auto& line : lines) CHECK(line.size() <= 40);
}

TEST_CASE("Braille dots are where their values are") {
  Curves curves;
  const double none = std::nan("");
  curves.curves.push_back({"", 0, false, false, {{0, 0}, {0, none}, {1, 10}}});
  // Ten lines are 40 dots. The axis reaches 5 % beyond the values, so that they stand in the third
  // dot from either end: in the first cell the second dot of the left column, in the last the third
  // of the right column.
  const auto lines = lines_of(
      draw_screen(curves, {TerminalMode::truecolor, 40, 12}).render({TerminalMode::truecolor}));
  CHECK(lines[9].find("\u2802") != std::string::npos);
  CHECK(lines[0].find("\u2820") != std::string::npos);
}

TEST_CASE("dashed curves look different from others of their colour") {
  std::set<char> marks;
  for (std::size_t color = 0; color < 16; ++color)
    for (const bool dashed : {false, true}) marks.insert(curve_mark(curve_style(color, dashed)));
  CHECK(marks.size() == 32);
  Curves curves;
  curves.curves.push_back({"", 1, false, false, {{0, 5}, {10, 5}}});
  const auto dots = [&](bool dashed) {
    curves.curves[0].dashed = dashed;
    int lit = 0;
    for (const auto& line : lines_of(draw_screen(curves, {TerminalMode::truecolor, 40, 12})
                                         .render({TerminalMode::truecolor})))
      for (std::size_t i = 0; i + 2 < line.size(); ++i)
        if (const auto high = static_cast<unsigned char>(line[i + 1]);
            line[i] == '\xe2' && (high & 0xfcu) == 0xa0u)
          lit += std::popcount(high & 3u) +
                 std::popcount(static_cast<unsigned char>(line[i + 2]) & 63u);
    return lit;
  };
  CHECK(dots(false) >= 60);
  CHECK(dots(true) > dots(false) / 3);
  CHECK(dots(true) < 2 * dots(false) / 3);
}

TEST_CASE("panels are side by side if they fit, and the legend is last") {
  Curves curves;
  curves.title = "loss";
  curves.curves.push_back({"training", 0, false, false, {{0, 0}, {10, 10}}});
  Figure figure{"", {curves, curves, curves, curves}, 2};
  const auto wide = lines_of(draw_terminal(figure, {TerminalMode::ascii, 80, 24}));
  const auto narrow = lines_of(draw_terminal(figure, {TerminalMode::ascii, 60, 24}));
  CHECK(wide.size() <= 23);
  CHECK(narrow.size() > wide.size());
  CHECK(wide.back() == "** training");
  CHECK(wide[0].find("loss") != wide[0].rfind("loss"));
  for (const auto& line : wide) CHECK(line.size() <= 80);
}

}  // namespace
}  // namespace tt::plot
