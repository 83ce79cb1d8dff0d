// Output of figures: to a file or a stream as a picture, or to the terminal on stdout as text.
#pragma once

#include <optional>
#include <string>

#include "plot/figure.h"
#include "plot/screen.h"

namespace tt::plot {

// The user's choice; fields not given are empty. Invariant: at most one of a picture, a terminal
// and numbers.
struct Destination {
  std::string output;    // the file of the picture, or "-" for stdout; empty: the terminal
  std::string format;    // png, svg, pdf or html
  std::string terminal;  // the name of a terminal mode
  bool tsv = false;      // the numbers on stdout instead of a picture
  std::optional<std::string> title = {};  // of the figure, instead of its own; empty: none
};

// The format of a picture: by name if given, else by the suffix of its path, in upper or lower
// case, else PNG if the path is "-", a pipe or a device. Throws Error if none of these apply.
PictureFormat picture_format(const std::string& path, const std::string& name = "");

class Viewer {
 public:
  // Throws Error if the picture's format is not known, if its file cannot be written, or if there
  // is no output, no mode and stdout is not a terminal.
  explicit Viewer(Destination to);

  // Draws the figure; on a terminal, `live` overwrites the contents of the window, and says so if
  // it has no room for all. The file of a picture is complete or untouched. Returns false if text
  // in a picture is drawn as boxes for lack of a font, with a warning on stderr the first time.
  // Throws Error if the figure cannot be drawn or written.
  bool show(Figure figure, bool live = false);

 private:
  bool draw(const Figure& figure);
  static void write_tsv(const Figure& figure);

  Destination to_;
  PictureFormat format_ = PictureFormat::png;
  Terminal terminal_;
  bool warned_ = false;
};

}  // namespace tt::plot
