// A sheet of character cells for terminals: coloured text at any position, rendered as lines with
// escape sequences.
//
// Invariant: a character that is two columns wide takes two cells, so rendered lines are as wide as
// the sheet. Control characters never reach the terminal: they become U+FFFD.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot/color.h"

namespace tt::plot {

enum class TerminalMode {
  truecolor,  // 24-bit colours, half blocks and Braille
  indexed,    // the same with xterm's 256 colours
  ascii,      // no colours, only ASCII characters (except in names, where the locale has others)
};

struct Terminal {
  TerminalMode mode = TerminalMode::ascii;
  int width = 80, height = 24;  // character cells
  bool utf8 = true;  // the locale's characters; otherwise "?" stands for what is not ASCII
};

// The capabilities of a terminal, from the values of COLORTERM, TERM and NO_COLOR, each empty if
// unset, and whether the locale's characters are UTF-8.
TerminalMode terminal_mode(const std::string& colorterm, const std::string& term, bool utf8,
                           const std::string& no_color);

// The mode of that name: "truecolor", "256" or "ascii". Throws Error for any other.
TerminalMode terminal_mode(const std::string& name);

// The terminal on stdout, from the environment and the window size (else COLUMNS, else 80 x 24).
Terminal this_terminal();

// The number of columns of a text: East Asian wide characters take two, combining ones none.
int display_width(const std::string& text);

// Whether some character of the text takes two columns.
bool has_wide(const std::string& text);

// The text, or its beginning and a dot if it takes more than `columns`.
std::string cut(const std::string& text, int columns);

// The text, or its beginning and its end with two dots between them if it takes more than
// `columns`. Requires columns >= 4.
std::string cut_in_the_middle(const std::string& text, int columns);

// Maximum length of a name on an axis: columns, or lines if written downwards.
inline constexpr int kLongestScreenName = 16;

class Screen {
 public:
  using Paint = std::optional<Color>;

  // Writes text at (x, y) and returns its number of columns; the sheet grows as needed. Requires x,
  // y >= 0.
  int put(int x, int y, const std::string& text, Paint fore = {}, Paint back = {});
  // Writes the characters of a text one below another, each in a field of `columns` columns: wide
  // ones must fit.
  void put_down(int x, int y, const std::string& text, int columns);
  // Copies another sheet with its corner at (x, y).
  void paste(int x, int y, const Screen& other);

  int width() const { return width_; }
  int height() const { return static_cast<int>(lines_.size()); }

  // All lines, each ending in LF, without trailing blanks.
  std::string render(const Terminal& terminal) const;

 private:
  struct Cell {
    std::string glyph = " ";  // empty: the right half of the preceding wide character
    Paint fore, back;
  };
  Cell& cell(int x, int y);

  int width_ = 0;
  std::vector<std::vector<Cell>> lines_;
};

}  // namespace tt::plot
