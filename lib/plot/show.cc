#include "plot/show.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "plot/fonts.h"
#include "plot/terminal.h"

namespace tt::plot {
namespace {

std::string suffix_of(const std::string& path) {
  const auto dot = path.find_last_of("./");
  std::string suffix = dot == std::string::npos || path[dot] == '/' ? "" : path.substr(dot + 1);
  std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](unsigned char c) { return std::tolower(c); });
  return suffix;
}

// Whether a path denotes a stream: a pipe or a device, including other names of stdout.
bool is_stream(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code none;
  const auto kind = fs::status(path, none).type();
  return path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/") || kind == fs::file_type::fifo ||
         kind == fs::file_type::character || kind == fs::file_type::socket;
}

}  // namespace

PictureFormat picture_format(const std::string& path, const std::string& name) {
  const std::string wanted = name.empty() ? suffix_of(path) : name;
  if (wanted == "png") return PictureFormat::png;
  if (wanted == "svg") return PictureFormat::svg;
  if (wanted == "pdf") return PictureFormat::pdf;
  if (name.empty() && is_stream(path)) return PictureFormat::png;
  throw Error(path, ": the suffix chooses the format of a picture; use .png, .svg or .pdf, or --format");
}

Viewer::Viewer(Destination to) : to_(std::move(to)) {
  if (!to_.output.empty()) {
    TT_CHECK(to_.terminal.empty());
    format_ = picture_format(to_.output, to_.format);
    return;
  }
  if (to_.terminal.empty() && !isatty(STDOUT_FILENO))
    throw Error("stdout is not a terminal; give -o FILE for a picture, or --terminal ascii, 256 or truecolor for text");
  terminal_ = this_terminal();
  if (!to_.terminal.empty()) terminal_.mode = terminal_mode(to_.terminal);
}

bool Viewer::draw(const Figure& figure) {
  AtomicFile file(to_.output);  // fails first if it cannot be written
  const Picture picture = draw_picture(figure, format_);
  file.write(picture.bytes);
  file.commit();
  if (!picture.missing.empty() && !warned_) warn(missing_fonts(picture.missing));
  warned_ = warned_ || !picture.missing.empty();
  return picture.missing.empty();
}

bool Viewer::show(const Figure& figure, bool live) {
  if (!to_.output.empty()) return draw(figure);
  const TerminalMode mode = terminal_.mode;
  terminal_ = this_terminal();  // the window may have been resized
  if (!to_.terminal.empty()) terminal_.mode = mode;
  std::string text = draw_terminal(figure, terminal_);
  if (live && isatty(STDOUT_FILENO)) {
    // From the upper left corner, as much as the window has room for and still a line below. Each line is cleared just before it
    // is drawn, to avoid flicker; behind a line that is full, that could clear its last character.
    std::string redrawn = "\x1b[H\x1b[K";
    int lines = 0;
    for (const char byte : text) {
      redrawn += byte;
      if (byte != '\n') continue;
      if (++lines >= terminal_.height - 1) break;
      redrawn += "\x1b[K";
    }
    text = redrawn + "\x1b[J";
  }
  Output out("-");
  out.write(text);
  out.close();
  return true;
}

}  // namespace tt::plot
