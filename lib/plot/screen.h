// A sheet of character cells for terminals: coloured text, put anywhere, rendered as lines with escape sequences.
//
// Invariant: a character that is two columns wide takes two cells, so that rendered lines are as wide as the sheet says. Text
// cannot carry control characters into the terminal: they become U+FFFD.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plot/color.h"

namespace tt::plot {

enum class TerminalMode {
  truecolor,  // 24-bit colours, half blocks and Braille
  indexed,    // the same with xterm's 256 colours
  ascii,      // no colours, ASCII characters only (but names are written as they are)
};

struct Terminal {
  TerminalMode mode = TerminalMode::ascii;
  int width = 80, height = 24;  // character cells
};

// What a terminal can show, from the values of COLORTERM, TERM, the locale's character type (LC_ALL, LC_CTYPE or LANG) and
// NO_COLOR, each empty when unset.
TerminalMode terminal_mode(const std::string& colorterm, const std::string& term, const std::string& locale,
                           const std::string& no_color);

// The mode of that name: "truecolor", "256" or "ascii". Throws Error for any other.
TerminalMode terminal_mode(const std::string& name);

// The terminal on stdout, from the environment and the window's size (else COLUMNS, else 80 x 24).
Terminal this_terminal();

// Columns that a text takes: East Asian wide characters two, combining ones none.
int display_width(const std::string& text);

// Whether some character of the text takes two columns.
bool has_wide(const std::string& text);

// The text, or its beginning and a dot so that it takes at most `columns`.
std::string cut(const std::string& text, int columns);

// How long a name at an axis may be: columns, or lines when it is written downwards.
inline constexpr int kLongestScreenName = 16;

class Screen {
 public:
  using Paint = std::optional<Color>;

  // Writes text from (x, y), and returns the columns it took; the sheet grows as needed. Requires x, y >= 0.
  int put(int x, int y, const std::string& text, Paint fore = {}, Paint back = {});
  // Writes the text's characters one under the other, each in a field of `columns` columns: a wide one must fit.
  void put_down(int x, int y, const std::string& text, int columns);
  // Copies another sheet with its corner at (x, y).
  void paste(int x, int y, const Screen& other);

  int width() const { return width_; }
  int height() const { return static_cast<int>(lines_.size()); }

  // All lines, each ended by LF; blanks at their ends are left out.
  std::string render(TerminalMode mode) const;

 private:
  struct Cell {
    std::string glyph = " ";  // empty: the right half of the wide character before
    Paint fore, back;
  };
  Cell& cell(int x, int y);

  int width_ = 0;
  std::vector<std::vector<Cell>> lines_;
};

}  // namespace tt::plot
