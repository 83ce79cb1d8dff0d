#include "plot/screen.h"

#include <glib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/capitals.h"
#include "base/error.h"
#include "base/terminal.h"
#include "base/utf8.h"

namespace tt::plot {
namespace {

struct Glyph {
  std::string text;
  int width;  // 0: combines with the preceding character
};

std::vector<Glyph> glyphs(const std::string& text) {
  std::vector<Glyph> made;
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    const char32_t character = next_code_point(at, end);
    // Format characters, such as direction marks, harm the layout as much as control characters.
    if (g_unichar_iscntrl(character) || g_unichar_type(character) == G_UNICODE_LINE_SEPARATOR ||
        g_unichar_type(character) == G_UNICODE_PARAGRAPH_SEPARATOR ||
        (character >= 0x202a && character <= 0x202e)) {
      made.push_back({"\ufffd", 1});
      continue;
    }
    std::string glyph;
    append_utf8(glyph, character);
    made.push_back({glyph, g_unichar_iszerowidth(character) ? 0
                           : g_unichar_iswide(character)    ? 2
                                                            : 1});
  }
  return made;
}

std::string in_ascii(const std::string& line) {
  std::string made;
  for (const auto& glyph : glyphs(line))
    made += glyph.text.size() == 1 ? glyph.text
                                   : std::string(static_cast<std::size_t>(glyph.width), '?');
  return made;
}

// The codes of a colour: kind 38 is the foreground, 48 the background.
std::string paint(TerminalMode mode, int kind, const Screen::Paint& color) {
  if (!color) return ";" + std::to_string(kind + 1);
  if (mode == TerminalMode::indexed)
    return ";" + std::to_string(kind) + ";5;" + std::to_string(xterm_color(*color));
  return ";" + std::to_string(kind) + ";2;" + std::to_string(color->r) + ";" +
         std::to_string(color->g) + ";" + std::to_string(color->b);
}

}  // namespace

TerminalMode terminal_mode(const std::string& colorterm, const std::string& term, bool utf8,
                           const std::string& no_color) {
  const std::string kind = ascii_small(colorterm);
  if (!utf8 || !no_color.empty() || term.empty() || term == "dumb") return TerminalMode::ascii;
  if (kind == "truecolor" || kind == "24bit" || term.find("-direct") != std::string::npos)
    return TerminalMode::truecolor;
  return term.find("256color") != std::string::npos ? TerminalMode::indexed : TerminalMode::ascii;
}

TerminalMode terminal_mode(const std::string& name) {
  if (name == "truecolor") return TerminalMode::truecolor;
  if (name == "256") return TerminalMode::indexed;
  if (name == "ascii") return TerminalMode::ascii;
  throw Error("there is no terminal mode '", name, "'; use truecolor, 256 or ascii");
}

Terminal this_terminal() {
  Terminal made;
  made.utf8 = locale_is_utf8();
  made.mode = terminal_mode(environment("COLORTERM"), environment("TERM"), made.utf8,
                            environment("NO_COLOR"));
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    made.width = size.ws_col;
    if (size.ws_row > 0) made.height = size.ws_row;
  } else if (const double columns = std::strtod(environment("COLUMNS").c_str(), nullptr);
             columns > 0) {
    made.width = static_cast<int>(std::min(columns, 1000.0));
  }
  made.width = std::clamp(made.width, 20, 1000);
  made.height = std::clamp(made.height, 4, 1000);
  return made;
}

int display_width(const std::string& text) {
  int width = 0;
  for (const auto& glyph : glyphs(text)) width += glyph.width;
  return width;
}

bool has_wide(const std::string& text) {
  for (const auto& glyph : glyphs(text))
    if (glyph.width == 2) return true;
  return false;
}

std::string cut(const std::string& text, int columns) {
  if (display_width(text) <= columns) return text;
  std::string made;
  int width = 0;
  for (const auto& glyph : glyphs(text)) {
    if (width + glyph.width > columns - 1) break;
    made += glyph.text;
    width += glyph.width;
  }
  return columns > 0 ? made + "." : "";
}

std::string cut_in_the_middle(const std::string& text, int columns) {
  if (display_width(text) <= columns) return text;
  const std::vector<Glyph> all = glyphs(text);
  const int left = (columns - 2) / 2, right = columns - 2 - left;
  std::string begin, end;
  int width = 0;
  for (auto glyph = all.begin(); glyph != all.end() && width + glyph->width <= left; ++glyph)
    begin += glyph->text, width += glyph->width;
  width = 0;
  for (auto glyph = all.rbegin(); glyph != all.rend() && width + glyph->width <= right; ++glyph)
    end.insert(0, glyph->text), width += glyph->width;
  return begin + ".." + end;
}

Screen::Cell& Screen::cell(int x, int y) {
  TT_CHECK(x >= 0 && y >= 0);
  if (y >= height()) lines_.resize(static_cast<std::size_t>(y) + 1);
  auto& line = lines_[static_cast<std::size_t>(y)];
  if (x >= static_cast<int>(line.size())) line.resize(static_cast<std::size_t>(x) + 1);
  width_ = std::max(width_, x + 1);
  return line[static_cast<std::size_t>(x)];
}

int Screen::put(int x, int y, const std::string& text, Paint fore, Paint back) {
  const int begin = x;
  for (const auto& glyph : glyphs(text)) {
    if (glyph.width == 0) {
      if (x > begin) cell(cell(x - 1, y).glyph.empty() ? x - 2 : x - 1, y).glyph += glyph.text;
      continue;
    }
    cell(x, y) = {glyph.text, fore, back};
    if (glyph.width == 2) cell(x + 1, y) = {"", fore, back};
    x += glyph.width;
  }
  return x - begin;
}

void Screen::put_down(int x, int y, const std::string& text, int columns) {
  int last = -1;
  for (const auto& glyph : glyphs(text)) {
    if (glyph.width == 0) {
      if (last >= 0) cell(x, last).glyph += glyph.text;
      continue;
    }
    last = y++;
    put(x, last, glyph.width <= columns ? glyph.text : "?");
  }
}

void Screen::paste(int x, int y, const Screen& other) {
  for (std::size_t row = 0; row < other.lines_.size(); ++row)
    for (std::size_t column = 0; column < other.lines_[row].size(); ++column)
      cell(x + static_cast<int>(column), y + static_cast<int>(row)) = other.lines_[row][column];
}

std::string Screen::render(const Terminal& terminal) const {
  const TerminalMode mode = terminal.mode;
  const bool plain = mode == TerminalMode::ascii && !terminal.utf8;
  std::string made;
  for (const auto& line : lines_) {
    std::size_t end = line.size();
    while (end > 0 && line[end - 1].glyph == " " &&
           (mode == TerminalMode::ascii || !line[end - 1].back))
      --end;
    Paint fore, back;
    bool painted = false;
    for (std::size_t i = 0; i < end; ++i) {
      const Cell& cell = line[i];
      if (mode != TerminalMode::ascii && (cell.fore != fore || cell.back != back)) {
        std::string codes;
        if (cell.fore != fore) codes += paint(mode, 38, cell.fore);
        if (cell.back != back) codes += paint(mode, 48, cell.back);
        made += "\x1b[" + codes.substr(1) + "m";
        fore = cell.fore, back = cell.back;
        painted = fore || back;
      }
      made += plain ? in_ascii(cell.glyph) : cell.glyph;
    }
    made += painted ? "\x1b[0m\n" : "\n";
  }
  return made;
}

}  // namespace tt::plot
