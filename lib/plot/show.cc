#include "plot/show.h"

#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "plot/terminal.h"

namespace tt::plot {

Viewer::Viewer(std::string output, const std::string& mode) : output_(std::move(output)), fixed_mode_(!mode.empty()) {
  if (!output_.empty()) {
    picture_format(output_);
    if (fixed_mode_) throw Error("--output draws a file and --terminal draws on stdout; give one of them");
    return;
  }
  if (!fixed_mode_ && !isatty(STDOUT_FILENO))
    throw Error(
        "stdout is no terminal: give -o FILE for a picture, or --terminal ascii, 256 or truecolor to draw on it all the same");
  terminal_ = this_terminal();
  if (fixed_mode_) terminal_.mode = terminal_mode(mode);
}

void Viewer::show(const Figure& figure, bool live) {
  if (!output_.empty()) {
    draw_file(figure, output_);
    return;
  }
  const TerminalMode mode = terminal_.mode;
  terminal_ = this_terminal();  // the window may have another size by now
  if (fixed_mode_) terminal_.mode = mode;
  std::string text = draw_terminal(figure, terminal_);
  if (live && isatty(STDOUT_FILENO)) {
    // From the upper left corner, each line wiped behind its end: nothing flickers.
    std::string redrawn = "\x1b[H";
    for (const char byte : text) {
      if (byte == '\n') redrawn += "\x1b[K";
      redrawn += byte;
    }
    text = redrawn + "\x1b[J";
  }
  Output out("-");
  out.write(text);
  out.flush();
}

}  // namespace tt::plot
