#include "plot/canvas.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <pango/pangocairo.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

#if defined(__SANITIZE_ADDRESS__)
#define TT_LEAKS_ARE_REPORTED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TT_LEAKS_ARE_REPORTED
#endif
#endif
#ifdef TT_LEAKS_ARE_REPORTED
// Fontconfig keeps its patterns until the process ends, which the leak sanitizer would report.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }
extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
#endif

namespace tt::plot {
namespace {

constexpr double kPixelsPerPoint = 2;
constexpr double kLargest = 32767 / kPixelsPerPoint;  // Cairo's limit on the sides of an image, in points
constexpr std::size_t kMostRectangles = 4096;         // cells drawn one by one in vector pictures
constexpr std::size_t kMostSegments = 500;            // stroked together: Cairo's time is quadratic in them
constexpr int kMostCharacters = 2000;                 // of a text

struct Unref {
  void operator()(void* object) const { g_object_unref(object); }
};
using Layout = std::unique_ptr<PangoLayout, Unref>;

// No PDF can have them.
bool is_noncharacter(gunichar c) { return (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF); }

// The text with U+FFFD for invalid UTF-8, for noncharacters, and for control characters, which Pango would draw as boxes; cut to
// kMostCharacters, because Pango's widths are ints.
std::string presentable(const std::string& text) {
  std::string made;
  int characters = 0;
  char* valid = g_utf8_make_valid(text.data(), static_cast<gssize>(text.size()));
  for (const char *at = valid, *next = nullptr; *at; at = next) {
    if (++characters > kMostCharacters) {
      made += "\u2026";
      break;
    }
    next = g_utf8_next_char(at);
    if (const gunichar c = g_utf8_get_char(at); g_unichar_iscntrl(c) || is_noncharacter(c)) made += "\ufffd";
    else made.append(at, next);
  }
  g_free(valid);
  return made;
}

Size size_of(PangoLayout* layout) {
  int width = 0, height = 0;
  pango_layout_get_size(layout, &width, &height);
  return {static_cast<double>(width) / PANGO_SCALE, static_cast<double>(height) / PANGO_SCALE};
}

// One line of text, laid out without hinting, so that it has the same size in every format; cut with an ellipsis if wider than
// `widest` points (0: never).
Layout lay_out(cairo_t* cairo, const std::string& text, double size, bool bold, double widest) {
  Layout layout(pango_cairo_create_layout(cairo));
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(pango_layout_get_context(layout.get()), options);
  cairo_font_options_destroy(options);
  PangoFontDescription* font = pango_font_description_from_string("sans-serif");
  pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
  if (bold) pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description(layout.get(), font);
  pango_font_description_free(font);
  const std::string clean = presentable(text);
  pango_layout_set_text(layout.get(), clean.data(), static_cast<int>(clean.size()));
  pango_layout_set_single_paragraph_mode(layout.get(), TRUE);
  if (widest > 0 && size_of(layout.get()).width > widest) {
    pango_layout_set_width(layout.get(), static_cast<int>(widest * PANGO_SCALE));
    pango_layout_set_ellipsize(layout.get(), PANGO_ELLIPSIZE_END);
  }
  return layout;
}

// Collects the characters of a text that no font has.
void find_missing(PangoLayout* layout, std::set<char32_t>& missing) {
  if (pango_layout_get_unknown_glyphs_count(layout) == 0) return;
  PangoLayoutIter* at = pango_layout_get_iter(layout);
  do {
    const PangoLayoutRun* run = pango_layout_iter_get_run_readonly(at);
    for (int i = 0; run && i < run->glyphs->num_glyphs; ++i) {
      const PangoGlyph glyph = run->glyphs->glyphs[i].glyph;
      if (glyph == PANGO_GLYPH_INVALID_INPUT || !(glyph & PANGO_GLYPH_UNKNOWN_FLAG)) continue;
      const auto character = static_cast<gunichar>(glyph & ~PANGO_GLYPH_UNKNOWN_FLAG);
      if (!g_unichar_isspace(character)) missing.insert(character);
    }
  } while (pango_layout_iter_next_run(at));
  pango_layout_iter_free(at);
}

// Cairo calls this from C: it must not throw.
cairo_status_t keep(void* closure, const unsigned char* data, unsigned int length) {
  try {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  } catch (const std::exception&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
}

}  // namespace

struct Canvas::State {
  explicit State(PictureFormat format) : format(format) {}
  ~State() {
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
  }
  void check(cairo_status_t status) const {
    if (status != CAIRO_STATUS_SUCCESS) throw Error("the picture cannot be drawn: ", cairo_status_to_string(status));
  }
  void color(Color c) const { cairo_set_source_rgb(cairo, c.r / 255.0, c.g / 255.0, c.b / 255.0); }

  PictureFormat format;
  std::string bytes;  // outlives the surface, which writes to it until it is finished
  cairo_surface_t* surface = nullptr;
  cairo_t* cairo = nullptr;
  std::set<char32_t> missing;
};

Size measure(const std::string& text, double size, bool bold, double widest) {
  static cairo_t* const scratch = [] {
    cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t* made = cairo_create(surface);
    cairo_surface_destroy(surface);
    return made;
  }();
  return size_of(lay_out(scratch, text, size, bold, widest).get());
}

Canvas::Canvas(PictureFormat format, Size size) : state_(std::make_unique<State>(format)) {
  State& s = *state_;
  const double width = std::ceil(size.width), height = std::ceil(size.height);
  if (!(width <= kLargest && height <= kLargest))
    throw Error("the picture would be ", width, " x ", height, " points; draw less of it: the limit is ", kLargest,
                " in each direction");
  if (s.format == PictureFormat::png) {
    s.surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width * kPixelsPerPoint),
                                           static_cast<int>(height * kPixelsPerPoint));
  } else if (s.format == PictureFormat::svg) {
    s.surface = cairo_svg_surface_create_for_stream(keep, &s.bytes, width, height);
    cairo_svg_surface_set_document_unit(s.surface, CAIRO_SVG_UNIT_PT);
  } else {
    s.surface = cairo_pdf_surface_create_for_stream(keep, &s.bytes, width, height);
  }
  s.check(cairo_surface_status(s.surface));
  s.cairo = cairo_create(s.surface);
  if (s.format == PictureFormat::png) cairo_scale(s.cairo, kPixelsPerPoint, kPixelsPerPoint);
  fill({0, 0, width, height}, kWhite);
}

Canvas::~Canvas() = default;

void Canvas::fill(const Rect& area, Color color) {
  state_->color(color);
  cairo_rectangle(state_->cairo, area.x, area.y, area.width, area.height);
  cairo_fill(state_->cairo);
}

void Canvas::frame(const Rect& area, double width, Color color) {
  state_->color(color);
  cairo_set_line_width(state_->cairo, width);
  // Outside the area, so as not to cover its edge cells.
  cairo_rectangle(state_->cairo, area.x - width / 2, area.y - width / 2, area.width + width, area.height + width);
  cairo_stroke(state_->cairo);
}

void Canvas::line(Point from, Point to, double width, Color color) { polyline({from, to}, width, color); }

void Canvas::polyline(const std::vector<Point>& points, double width, Color color, bool dashed) {
  if (points.empty()) return;
  cairo_t* cairo = state_->cairo;
  state_->color(color);
  cairo_set_line_width(cairo, width);
  cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(cairo, dashed ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_SQUARE);
  const double dash[] = {4 * width, 2 * width};
  if (dashed) cairo_set_dash(cairo, dash, 2, 0);
  cairo_move_to(cairo, points[0].x, points[0].y);
  for (std::size_t i = 0; i < points.size(); ++i) {
    cairo_line_to(cairo, points[i].x, points[i].y);
    if (i % kMostSegments != kMostSegments - 1 || i + 1 == points.size()) continue;
    cairo_stroke(cairo);
    cairo_move_to(cairo, points[i].x, points[i].y);
  }
  cairo_stroke(cairo);
  cairo_set_dash(cairo, nullptr, 0, 0);
}

void Canvas::dot(Point center, double radius, Color color) {
  state_->color(color);
  cairo_new_path(state_->cairo);
  cairo_arc(state_->cairo, center.x, center.y, radius, 0, 2 * G_PI);
  cairo_fill(state_->cairo);
}

void Canvas::text(Point at, const std::string& text, const TextStyle& style) {
  cairo_t* cairo = state_->cairo;
  const Layout layout = lay_out(cairo, text, style.size, style.bold, style.widest);
  find_missing(layout.get(), state_->missing);
  const Size size = size_of(layout.get());
  state_->color(style.color);
  cairo_save(cairo);
  cairo_translate(cairo, at.x, at.y);
  cairo_rotate(cairo, -style.turn * G_PI / 180);
  const double across = style.across == TextStyle::Across::left ? 0 : style.across == TextStyle::Across::center ? 0.5 : 1;
  const double down = style.down == TextStyle::Down::top ? 0 : style.down == TextStyle::Down::middle ? 0.5 : 1;
  cairo_move_to(cairo, -across * size.width, -down * size.height);
  pango_cairo_show_layout(cairo, layout.get());
  cairo_restore(cairo);
}

void Canvas::cells(const Rect& area, std::int64_t rows, std::int64_t columns, const std::vector<Color>& colors) {
  TT_CHECK(rows >= 1 && columns >= 1 && colors.size() == static_cast<std::size_t>(rows * columns));
  cairo_t* cairo = state_->cairo;
  if (state_->format != PictureFormat::png && colors.size() <= kMostRectangles) {
    // SVG and PDF viewers may blur an image of few cells, so these are rectangles. Each extends a little under its neighbours to
    // the right and below, or the paper would show through between them.
    constexpr double kUnder = 0.25;
    const double width = area.width / static_cast<double>(columns), height = area.height / static_cast<double>(rows);
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t column = 0; column < columns; ++column) {
        const double x = area.x + static_cast<double>(column) * width, y = area.y + static_cast<double>(row) * height;
        fill({x, y, std::min(width + kUnder, area.right() - x), std::min(height + kUnder, area.bottom() - y)},
             colors[static_cast<std::size_t>(row * columns + column)]);
      }
    return;
  }
  // The same viewers blur by only one image pixel, which matters little if a cell has several.
  auto repeated = [&](std::int64_t n) {
    return state_->format == PictureFormat::png ? 1 : std::clamp<std::int64_t>(4096 / n, 1, 8);
  };
  const std::int64_t across = repeated(columns), down = repeated(rows);
  cairo_surface_t* image =
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(columns * across), static_cast<int>(rows * down));
  state_->check(cairo_surface_status(image));
  cairo_surface_flush(image);
  unsigned char* data = cairo_image_surface_get_data(image);
  const int stride = cairo_image_surface_get_stride(image);
  for (std::int64_t row = 0; row < rows * down; ++row)
    for (std::int64_t column = 0; column < columns * across; ++column) {
      const Color c = colors[static_cast<std::size_t>(row / down * columns + column / across)];
      reinterpret_cast<std::uint32_t*>(data + row * stride)[column] = std::uint32_t{c.r} << 16 | std::uint32_t{c.g} << 8 | c.b;
    }
  cairo_surface_mark_dirty(image);
  cairo_save(cairo);
  cairo_translate(cairo, area.x, area.y);
  cairo_scale(cairo, area.width / static_cast<double>(columns * across), area.height / static_cast<double>(rows * down));
  cairo_set_source_surface(cairo, image, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
  cairo_rectangle(cairo, 0, 0, static_cast<double>(columns * across), static_cast<double>(rows * down));
  cairo_fill(cairo);
  cairo_restore(cairo);
  cairo_surface_destroy(image);
}

void Canvas::clip(const Rect& area) {
  cairo_save(state_->cairo);
  cairo_rectangle(state_->cairo, area.x, area.y, area.width, area.height);
  cairo_clip(state_->cairo);
}

void Canvas::unclip() { cairo_restore(state_->cairo); }

Picture Canvas::finish() {
  State& s = *state_;
  s.check(cairo_status(s.cairo));
  if (s.format == PictureFormat::png) s.check(cairo_surface_write_to_png_stream(s.surface, keep, &s.bytes));
  cairo_surface_finish(s.surface);
  s.check(cairo_surface_status(s.surface));
  return {std::move(s.bytes), std::move(s.missing)};
}

}  // namespace tt::plot
