#include "plot/text_line.h"

#include <unistd.h>

#include "base/report.h"

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

constexpr int kMostCharacters = 2000;  // of a text

// No PDF can have them.
bool is_noncharacter(gunichar c) { return (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF); }

// The text with U+FFFD for invalid UTF-8, for noncharacters, and for control characters, which
// Pango would draw as boxes; cut to kMostCharacters, because Pango's widths are ints.
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
    if (const gunichar c = g_utf8_get_char(at); g_unichar_iscntrl(c) || is_noncharacter(c))
      made += "\ufffd";
    else made.append(at, next);
  }
  g_free(valid);
  return made;
}

Layout layout_of(cairo_t* cairo, const std::string& text, double size, bool bold) {
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
  pango_layout_set_text(layout.get(), text.data(), static_cast<int>(text.size()));
  pango_layout_set_single_paragraph_mode(layout.get(), TRUE);
  return layout;
}

Size size_of(PangoLayout* layout) {
  int width = 0, height = 0;
  pango_layout_get_size(layout, &width, &height);
  return {static_cast<double>(width) / PANGO_SCALE, static_cast<double>(height) / PANGO_SCALE};
}

// GLib ends the process when it has no memory or no thread; it has said nothing yet.
void end_at_failure(const char* library, GLogLevelFlags level, const char* text, void* data) {
  if (!(level & G_LOG_FLAG_FATAL)) return g_log_default_handler(library, level, text, data);
  warn("the picture cannot be drawn: " + std::string(library ? library : "GLib") + ": " + text);
  ::_exit(1);
}

}  // namespace

TextLine lay_out(cairo_t* cairo, const std::string& text, double size, bool bold, double widest) {
  TextLine line{presentable(text), nullptr, {}, 0};
  const auto set = [&](const std::string& shown) {
    line.layout = layout_of(cairo, shown, size, bold);
    line.size = size_of(line.layout.get());
    return widest <= 0 || line.size.width <= widest;
  };
  if (!set(line.text)) {
    // The longest beginning that has room with its ellipsis, by bisection.
    const std::string whole = line.text;
    glong fits = 0, too_long = g_utf8_strlen(whole.data(), static_cast<gssize>(whole.size()));
    const auto begin = [&](glong characters) {
      const char* end = g_utf8_offset_to_pointer(whole.data(), characters);
      return whole.substr(0, static_cast<std::size_t>(end - whole.data())) + "\u2026";
    };
    while (too_long - fits > 1)
      (set(begin((fits + too_long) / 2)) ? fits : too_long) = (fits + too_long) / 2;
    line.text = begin(fits);
    set(line.text);
  }
  line.baseline = static_cast<double>(pango_layout_get_baseline(line.layout.get())) / PANGO_SCALE;
  return line;
}

TextLine lay_out(const std::string& text, double size, bool bold, double widest) {
  static cairo_t* const scratch = [] {
    g_log_set_default_handler(end_at_failure, nullptr);
    cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t* made = cairo_create(surface);
    cairo_surface_destroy(surface);
    return made;
  }();
  return lay_out(scratch, text, size, bold, widest);
}

Size measure(const std::string& text, double size, bool bold, double widest) {
  return lay_out(text, size, bold, widest).size;
}

void find_missing(const TextLine& line, std::set<char32_t>& missing) {
  PangoLayout* const layout = line.layout.get();
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

}  // namespace tt::plot
