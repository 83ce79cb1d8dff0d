#include "tools/picture.h"

namespace tt {

Group picture_group(plot::Destination& to) {
  return {"Picture",
          {
              {"-o,--output",
               file(to.output),
               "the picture: FILE.png, .svg or .pdf; - for stdout",
               {.brief = true}},
              {"--format",
               choice(to.format, {"png", "svg", "pdf"}),
               "the format of the picture, whatever its suffix",
               {.needs = {"--output"}}},
              {"--terminal",
               choice(to.terminal, {"truecolor", "256", "ascii"}),
               "draw on stdout as text",
               {.excludes = {"--output"}}},
          }};
}

}  // namespace tt
