// Figures in a terminal: heatmaps from half blocks, curves from Braille dots, or both from ASCII characters.
#pragma once

#include <string>

#include "plot/figure.h"
#include "plot/screen.h"

namespace tt::plot {

// A heatmap at most `terminal.width` wide. An upper half block shows two values, so that a value is about square. An axis that
// counts is reduced (by averaging) to what fits into the width and height; names of rows are never left out, and names of
// columns, written downwards, only where the columns do not fit.
Screen draw_screen(const Heatmap& map, const Terminal& terminal);

// Curves that fill the width and height, legend not included.
Screen draw_screen(const Curves& curves, const Terminal& terminal);

// How a curve of the legend is marked in ASCII: a character for each of eight colours.
char curve_mark(std::size_t color);

// The whole figure as text: panels side by side where they fit.
std::string draw_terminal(const Figure& figure, const Terminal& terminal);

}  // namespace tt::plot
