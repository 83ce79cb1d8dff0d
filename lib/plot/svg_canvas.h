// A sheet that becomes SVG, in which text is text: it can be searched, selected, edited and read
// aloud.
#pragma once

#include <memory>

#include "plot/canvas.h"

namespace tt::plot {

std::unique_ptr<Canvas> make_svg_canvas(Size size);

}  // namespace tt::plot
