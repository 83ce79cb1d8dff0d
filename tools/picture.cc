#include "tools/picture.h"

#include "tools/values.h"

namespace tt {

PictureOptions add_picture(CLI::App& app, plot::Destination& to) {
  auto* output = app.add_option("-o,--output", to.output, "the picture: FILE.png, .svg or .pdf; - for stdout")->type_name("FILE");
  auto* format = app.add_option("--format", to.format, "the format of the picture, whatever its suffix: png, svg or pdf");
  format->check(one_of({"png", "svg", "pdf"}))->needs(output)->type_name("NAME");
  auto* terminal = app.add_option("--terminal", to.terminal, "draw on stdout as text: truecolor, 256 or ascii");
  terminal->check(one_of({"truecolor", "256", "ascii"}))->excludes(output)->type_name("MODE");
  return {output, terminal};
}

}  // namespace tt
