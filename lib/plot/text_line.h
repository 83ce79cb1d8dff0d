// A line of text as Pango sets it, with font fallback: any script with an installed font has a size
// and can be drawn.
#pragma once

#include <pango/pangocairo.h>

#include <memory>
#include <set>
#include <string>

#include "plot/canvas.h"

namespace tt::plot {

struct UnrefObject {
  void operator()(void* object) const { g_object_unref(object); }
};
using Layout = std::unique_ptr<PangoLayout, UnrefObject>;

struct TextLine {
  std::string text;  // with U+FFFD for what cannot be drawn, and cut to its width with an ellipsis
  Layout layout;
  Size size;
  double baseline = 0;  // from the top
};

// Lays out a text for a sheet of Cairo's, without hinting, so that it has the same size in every
// format. Longer text than `widest` points (0: no limit) is cut.
TextLine lay_out(cairo_t* cairo, const std::string& text, double size, bool bold, double widest);

// Lays out a line for a sheet that need not be Cairo's.
TextLine lay_out(const std::string& text, double size, bool bold, double widest);

// Adds the characters of the text that no font has.
void find_missing(const TextLine& line, std::set<char32_t>& missing);

}  // namespace tt::plot
