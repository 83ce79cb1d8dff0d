#include "tools/picture.h"

namespace tt {

Group picture_group(plot::Destination& to) {
  const Value title{"TEXT", [&to](const std::string& text) {
                      to.title = text;
                      return std::string();
                    }};
  return {"Picture",
          {
              {"--title", title, "the title of the picture; \"\": none"},
              {"-o,--output", file(to.output),
               "the picture: FILE.png, .svg, .pdf or .html; - for stdout", kBrief},
              {"--format", choice(to.format, {"png", "svg", "pdf", "html"}),
               "the format of the picture, whatever its suffix", needs("--output")},
              {"--terminal", choice(to.terminal, {"truecolor", "256", "ascii"}),
               "draw on stdout as text", excludes("--output")},
              {"--tsv", toggle(to.tsv), "print the numbers instead of drawing",
               excludes("--output", "--terminal")},
          }};
}

}  // namespace tt
