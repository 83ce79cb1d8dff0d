#include "plot/show.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <filesystem>

#include "base/capitals.h"
#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "base/setting.h"
#include "base/terminal.h"
#include "base/writable.h"
#include "plot/fonts.h"
#include "plot/html.h"
#include "plot/terminal.h"

namespace tt::plot {
namespace {

std::string suffix_of(const std::string& path) {
  const auto dot = path.find_last_of("./");
  return dot == std::string::npos || path[dot] == '/' ? "" : ascii_small(path.substr(dot + 1));
}

// Whether a path denotes a stream: a pipe or a device, including other names of stdout.
bool is_stream(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code none;
  const auto kind = fs::status(path, none).type();
  return path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/") ||
         kind == fs::file_type::fifo || kind == fs::file_type::character ||
         kind == fs::file_type::socket;
}

// While it lives, the libraries that draw, which where memory is short end a process by a signal,
// end it with one line and status 1; for GLib see text_line.cc. (A child process would not do:
// OpenBLAS waits in fork() for a thread of its own, which waits for memory.)
class EndsInOneLine {
 public:
  EndsInOneLine() {
    text_ = program_name() + ": the picture cannot be drawn: there is too little memory\n";
    struct sigaction action = {};
    action.sa_handler = [](int) {
      if (::write(STDERR_FILENO, text_.data(), text_.size()) < 0) ::_exit(1);
      ::_exit(1);
    };
    for (std::size_t i = 0; i < kSignals.size(); ++i)
      ::sigaction(kSignals[i], &action, &before_[i]);
  }
  ~EndsInOneLine() {
    for (std::size_t i = 0; i < kSignals.size(); ++i)
      ::sigaction(kSignals[i], &before_[i], nullptr);
  }
  EndsInOneLine(const EndsInOneLine&) = delete;
  EndsInOneLine& operator=(const EndsInOneLine&) = delete;

 private:
  static constexpr std::array kSignals{SIGSEGV, SIGABRT};
  static std::string text_;
  std::array<struct sigaction, kSignals.size()> before_ = {};
};
std::string EndsInOneLine::text_;

// The text with what makes a terminal draw it over what it shows, from the upper left corner, with
// a line left below; the last line says how much the window has no room for.
std::string redrawn(const std::string& text, const Terminal& terminal) {
  const auto lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')),
             room = terminal.height - 1;
  const int shown = lines <= room ? lines : room - 1;
  // Each line is cleared just before it is drawn, to avoid flicker; behind a line that is full,
  // that could clear its last character.
  std::string made = "\x1b[H\x1b[K";
  std::size_t at = 0;
  for (int line = 0; line < shown; ++line) {
    const std::size_t end = text.find('\n', at) + 1;
    made += text.substr(at, end - at) + "\x1b[K";
    at = end;
  }
  if (shown < lines)
    made += cut("(" + std::to_string(lines - shown) +
                    " more lines: enlarge the window, or show fewer panels)",
                terminal.width) +
            "\n";
  return made + "\x1b[J";
}

}  // namespace

PictureFormat picture_format(const std::string& path, const std::string& name) {
  const std::string wanted = name.empty() ? suffix_of(path) : name;
  if (wanted == "png") return PictureFormat::png;
  if (wanted == "svg") return PictureFormat::svg;
  if (wanted == "pdf") return PictureFormat::pdf;
  if (wanted == "html") return PictureFormat::html;
  if (name.empty() && is_stream(path)) return PictureFormat::png;
  throw SettingError(
      path, ": the suffix chooses the format of a picture; use .png, .svg, .pdf or .html, or ",
      Setting{"format"});
}

Viewer::Viewer(Destination to) : to_(std::move(to)) {
  if (!to_.output.empty()) {
    TT_CHECK(to_.terminal.empty());
    format_ = picture_format(to_.output, to_.format);
    check_writable(to_.output);
    return;
  }
  if (to_.tsv) return;
  if (to_.terminal.empty() && !isatty(STDOUT_FILENO))
    throw SettingError("stdout is not a terminal; give ", Setting{"output"},
                       " FILE for a picture, or ", Setting{"terminal"},
                       " ascii, 256 or truecolor for text");
  terminal_ = this_terminal();
  if (!to_.terminal.empty()) terminal_.mode = terminal_mode(to_.terminal);
}

// As few digits as give a number back.
std::string shortest(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

// The points of all curves.
void Viewer::write_tsv(const Figure& figure) {
  Output out("-");
  out.line("panel\tcurve\tx\ty\tspread");
  for (const Panel& panel : figure.panels) {
    if (!std::holds_alternative<Curves>(panel)) continue;
    const auto& plot = std::get<Curves>(panel);
    const std::string name = plot.title.empty() ? plot.y_label : plot.title;
    for (const Curve& curve : plot.curves)
      for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const Point at = curve.points[i];
        const std::string x =
            plot.x_names.empty() ? shortest(at.x) : plot.x_names[static_cast<std::size_t>(at.x)];
        out.line(name + '\t' + curve.name + '\t' + x + '\t' + shortest(at.y) + '\t' +
                 (curve.spread.empty() ? "" : shortest(curve.spread[i])));
      }
  }
  out.close();
}

bool Viewer::draw(const Figure& figure) {
  // before there is a file that a failure could leave
  const Picture picture = [&] {
    const EndsInOneLine guard;
    return format_ == PictureFormat::html ? Picture{html_of(figure), {}}
                                          : draw_picture(figure, format_);
  }();
  AtomicFile file(to_.output);
  file.write(picture.bytes);
  file.commit();
  if (!picture.missing.empty() && !warned_) warn(missing_fonts(picture.missing));
  warned_ = warned_ || !picture.missing.empty();
  return picture.missing.empty();
}

bool Viewer::show(Figure figure, bool live) {
  if (to_.title) figure.title = *to_.title;
  if (!to_.output.empty()) return draw(figure);
  if (to_.tsv) return write_tsv(figure), true;
  const TerminalMode mode = terminal_.mode;
  terminal_ = this_terminal();  // the window may have been resized
  if (!to_.terminal.empty()) terminal_.mode = mode;
  std::string text = draw_terminal(figure, terminal_);
  if (live && isatty(STDOUT_FILENO) &&
      !(terminal_.mode == TerminalMode::ascii && terminal_is_dumb()))
    text = redrawn(text, terminal_);
  Output out("-");
  out.write(text);
  out.close();
  return true;
}

}  // namespace tt::plot
