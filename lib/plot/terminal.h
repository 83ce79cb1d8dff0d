// Figures in a terminal: heatmaps from half blocks, curves from Braille dots, or both from ASCII
// characters.
#pragma once

#include <string>

#include "plot/figure.h"
#include "plot/screen.h"

namespace tt::plot {

// A heatmap at most `terminal.width` wide. An upper half block shows two values, so a value is
// about square. A counting axis is reduced (by averaging) to fit the width and height; row names
// are never omitted, and column names, written downwards, only if the columns do not fit, or every
// second one where wide characters have columns of one cell.
Screen draw_screen(const Heatmap& map, const Terminal& terminal);

// Curves that fill the width and height, without a legend.
Screen draw_screen(const Curves& curves, const Terminal& terminal);

// The appearance of a curve by its number: even for whole curves, odd for dashed ones.
std::size_t curve_style(std::size_t color, bool dashed);

// The mark of a curve in ASCII: a character for each style.
char curve_mark(std::size_t style);

// The whole figure as text: panels side by side if they fit.
std::string draw_terminal(const Figure& figure, const Terminal& terminal);

}  // namespace tt::plot
