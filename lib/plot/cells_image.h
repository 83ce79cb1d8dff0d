// The cells of a matrix as an image, for sheets on which a rectangle for each would be too many.
#pragma once

#include <cairo.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace tt::plot {

struct DestroySurface {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using Image = std::unique_ptr<cairo_surface_t, DestroySurface>;

// An image in which each cell has one pixel, or, for viewers of vector pictures, which blur by one
// pixel, several. Throws Error if there is no memory for it.
Image cells_image(std::int64_t rows, std::int64_t columns, const std::vector<Color>& colors,
                  bool repeated);

// Throws Error with Cairo's message, unless the status is good.
void check(cairo_status_t status);

// Cairo writes to the std::string `to` with this.
cairo_status_t append_to_string(void* to, const unsigned char* data, unsigned int length);

}  // namespace tt::plot
