// Where a plotting program's figure goes: to a file, or to the terminal on stdout.
#pragma once

#include <string>

#include "plot/figure.h"
#include "plot/screen.h"

namespace tt::plot {

class Viewer {
 public:
  // `output` is a picture's file, or empty for stdout; `mode` is a name of a terminal's mode, or empty for what the terminal
  // on stdout can show. Throws Error if the suffix of `output` is none of a picture, or if there is no output, no mode and
  // stdout is no terminal.
  Viewer(std::string output, const std::string& mode);

  // Draws the figure; `live` on a terminal means over what its window shows. Throws Error if it cannot be written.
  void show(const Figure& figure, bool live = false);

  bool on_terminal() const { return output_.empty(); }

 private:
  std::string output_;
  Terminal terminal_;
  bool fixed_mode_ = false;
};

}  // namespace tt::plot
