#include "plot/canvas.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <pango/pangocairo.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "base/error.h"
#include "plot/cells_image.h"
#include "plot/svg_canvas.h"
#include "plot/text_line.h"

namespace tt::plot {
namespace {

constexpr double kPixelsPerPoint = 2;
// Cairo's limit on the sides of an image, in points
constexpr double kLargest = 32767 / kPixelsPerPoint;
constexpr std::size_t kMostRectangles = 4096;  // cells drawn one by one in vector pictures
constexpr std::size_t kMostSegments = 500;  // stroked together: Cairo's time is quadratic in them

// PNG and PDF.
class CairoCanvas final : public Canvas {
 public:
  CairoCanvas(bool image, Size size) : image_(image) {
    if (image_)
      surface_.reset(cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                                static_cast<int>(size.width * kPixelsPerPoint),
                                                static_cast<int>(size.height * kPixelsPerPoint)));
    else
      surface_.reset(
          cairo_pdf_surface_create_for_stream(append_to_string, &bytes_, size.width, size.height));
    check(cairo_surface_status(surface_.get()));
    cairo_ = cairo_create(surface_.get());
    if (image_) cairo_scale(cairo_, kPixelsPerPoint, kPixelsPerPoint);
  }
  ~CairoCanvas() override { cairo_destroy(cairo_); }

  void fill(const Rect& area, Color color) override {
    use(color);
    cairo_rectangle(cairo_, area.x, area.y, area.width, area.height);
    cairo_fill(cairo_);
  }

  void frame(const Rect& area, double width, Color color) override {
    use(color);
    cairo_set_line_width(cairo_, width);
    // Outside the area, so as not to cover its edge cells.
    cairo_rectangle(cairo_, area.x - width / 2, area.y - width / 2, area.width + width,
                    area.height + width);
    cairo_stroke(cairo_);
  }

  void polyline(const std::vector<Point>& points, double width, Color color, bool dashed) override {
    if (points.empty()) return;
    use(color);
    cairo_set_line_width(cairo_, width);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cairo_, dashed ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_SQUARE);
    const double dash[] = {4 * width, 2 * width};
    if (dashed) cairo_set_dash(cairo_, dash, 2, 0);
    cairo_move_to(cairo_, points[0].x, points[0].y);
    for (std::size_t i = 0; i < points.size(); ++i) {
      cairo_line_to(cairo_, points[i].x, points[i].y);
      if (i % kMostSegments != kMostSegments - 1 || i + 1 == points.size()) continue;
      cairo_stroke(cairo_);
      cairo_move_to(cairo_, points[i].x, points[i].y);
    }
    cairo_stroke(cairo_);
    cairo_set_dash(cairo_, nullptr, 0, 0);
  }

  void dot(Point center, double radius, Color color) override {
    use(color);
    cairo_new_path(cairo_);
    cairo_arc(cairo_, center.x, center.y, radius, 0, 2 * G_PI);
    cairo_fill(cairo_);
  }

  void text(Point at, const std::string& text, const TextStyle& style) override {
    const TextLine line = lay_out(cairo_, text, style.size, style.bold, style.widest);
    find_missing(line, missing_);
    use(style.color);
    cairo_save(cairo_);
    cairo_translate(cairo_, at.x, at.y);
    cairo_rotate(cairo_, -style.turn * G_PI / 180);
    const double across = style.across == TextStyle::Across::left     ? 0
                          : style.across == TextStyle::Across::center ? 0.5
                                                                      : 1;
    const double down = style.down == TextStyle::Down::top      ? 0
                        : style.down == TextStyle::Down::middle ? 0.5
                                                                : 1;
    cairo_move_to(cairo_, -across * line.size.width, -down * line.size.height);
    pango_cairo_show_layout(cairo_, line.layout.get());
    cairo_restore(cairo_);
  }

  void cells(const Rect& area, std::int64_t rows, std::int64_t columns,
             const std::vector<Color>& colors) override {
    if (!image_ && few_cells(area, rows, columns, colors)) return;
    const Image image = cells_image(rows, columns, colors, !image_);
    const double wide = cairo_image_surface_get_width(image.get()),
                 high = cairo_image_surface_get_height(image.get());
    cairo_save(cairo_);
    cairo_translate(cairo_, area.x, area.y);
    cairo_scale(cairo_, area.width / wide, area.height / high);
    cairo_set_source_surface(cairo_, image.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_NEAREST);
    cairo_rectangle(cairo_, 0, 0, wide, high);
    cairo_fill(cairo_);
    cairo_restore(cairo_);
  }

  void clip(const Rect& area) override {
    cairo_save(cairo_);
    cairo_rectangle(cairo_, area.x, area.y, area.width, area.height);
    cairo_clip(cairo_);
  }

  void unclip() override { cairo_restore(cairo_); }

  Picture finish() override {
    check(cairo_status(cairo_));
    if (image_) check(cairo_surface_write_to_png_stream(surface_.get(), append_to_string, &bytes_));
    cairo_surface_finish(surface_.get());
    check(cairo_surface_status(surface_.get()));
    return {std::move(bytes_), std::move(missing_)};
  }

 private:
  void use(Color c) const { cairo_set_source_rgb(cairo_, c.r / 255.0, c.g / 255.0, c.b / 255.0); }

  bool image_;         // PNG
  std::string bytes_;  // outlives the surface, which writes to it until it is finished
  Image surface_;
  cairo_t* cairo_ = nullptr;
  std::set<char32_t> missing_;
};

}  // namespace

std::unique_ptr<Canvas> Canvas::make(PictureFormat format, Size size) {
  size = {std::ceil(size.width), std::ceil(size.height)};
  if (!(size.width <= kLargest && size.height <= kLargest))
    throw Error("the picture would be ", size.width, " x ", size.height,
                " points; draw less of it: the limit is ", kLargest, " in each direction");
  std::unique_ptr<Canvas> made;
  if (format == PictureFormat::svg) made = make_svg_canvas(size);
  else made = std::make_unique<CairoCanvas>(format == PictureFormat::png, size);
  made->fill({0, 0, size.width, size.height}, kWhite);
  return made;
}

bool Canvas::few_cells(const Rect& area, std::int64_t rows, std::int64_t columns,
                       const std::vector<Color>& colors) {
  TT_CHECK(rows >= 1 && columns >= 1 && colors.size() == static_cast<std::size_t>(rows * columns));
  if (colors.size() > kMostRectangles) return false;
  // Viewers may blur an image of few cells, so these are rectangles. Each extends a little under
  // its neighbours to the right and below, or the paper would show through between them.
  constexpr double kUnder = 0.25;
  const double width = area.width / static_cast<double>(columns),
               height = area.height / static_cast<double>(rows);
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column) {
      const double x = area.x + static_cast<double>(column) * width,
                   y = area.y + static_cast<double>(row) * height;
      fill({x, y, std::min(width + kUnder, area.right() - x),
            std::min(height + kUnder, area.bottom() - y)},
           colors[static_cast<std::size_t>(row * columns + column)]);
    }
  return true;
}

Image cells_image(std::int64_t rows, std::int64_t columns, const std::vector<Color>& colors,
                  bool repeated) {
  const auto times = [&](std::int64_t n) {
    return repeated ? std::clamp<std::int64_t>(4096 / n, 1, 8) : 1;
  };
  const std::int64_t across = times(columns), down = times(rows);
  Image image(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(columns * across),
                                         static_cast<int>(rows * down)));
  check(cairo_surface_status(image.get()));
  cairo_surface_flush(image.get());
  unsigned char* data = cairo_image_surface_get_data(image.get());
  const int stride = cairo_image_surface_get_stride(image.get());
  for (std::int64_t row = 0; row < rows * down; ++row)
    for (std::int64_t column = 0; column < columns * across; ++column) {
      const Color c = colors[static_cast<std::size_t>(row / down * columns + column / across)];
      reinterpret_cast<std::uint32_t*>(data + row * stride)[column] =
          std::uint32_t{c.r} << 16 | std::uint32_t{c.g} << 8 | c.b;
    }
  cairo_surface_mark_dirty(image.get());
  return image;
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error("the picture cannot be drawn: ", cairo_status_to_string(status));
}

// Cairo calls this from C: it must not throw.
cairo_status_t append_to_string(void* to, const unsigned char* data, unsigned int length) {
  try {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  } catch (const std::exception&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
}

}  // namespace tt::plot
