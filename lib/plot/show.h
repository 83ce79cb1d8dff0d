// Where a plotting program's figure goes: to a file or a stream as a picture, or to the terminal on stdout as text.
#pragma once

#include <string>

#include "plot/figure.h"
#include "plot/screen.h"

namespace tt::plot {

// What a user asked for; each text is empty where nothing was said. Invariant: not both a picture and a terminal.
struct Destination {
  std::string output;    // the picture's file, or "-" for stdout; empty: the terminal
  std::string format;    // png, svg or pdf
  std::string terminal;  // a name of a terminal's mode
};

// The format of a picture: the one of that name, else what the suffix of its path says, in upper or lower case, else PNG for
// what has no name of its own: "-", a pipe, a device. Throws Error if that leaves it open.
PictureFormat picture_format(const std::string& path, const std::string& name = "");

class Viewer {
 public:
  // Throws Error if the picture's format is open, or if there is no output, no mode and stdout is no terminal.
  explicit Viewer(Destination to);

  // Draws the figure; `live` on a terminal means over what its window shows. A picture's file is whole or untouched. False if
  // some of a picture's text is drawn as boxes for want of a font, which is said on stderr the first time. Throws Error if the
  // figure cannot be drawn or written.
  bool show(const Figure& figure, bool live = false);

 private:
  bool draw(const Figure& figure);

  Destination to_;
  PictureFormat format_ = PictureFormat::png;
  Terminal terminal_;
  bool warned_ = false;
};

}  // namespace tt::plot
