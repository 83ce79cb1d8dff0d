#include "plot/svg_canvas.h"

#include <glib.h>

#include <utility>

#include "base/formatted.h"
#include "plot/cells_image.h"
#include "plot/text_line.h"

namespace tt::plot {
namespace {

// With the digits that a hundredth of a point needs.
std::string number(double value) {
  std::string made = formatted("%.2f", value);
  made.erase(made.find_last_not_of('0') + 1);
  if (made.back() == '.') made.pop_back();
  return made == "-0" ? "0" : made;
}

std::string escaped(const std::string& text) {
  std::string made;
  for (const char c : text)
    made += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return made;
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + '"';
}
std::string attribute(const char* name, double value) { return attribute(name, number(value)); }
std::string attribute(const char* name, Color color) { return attribute(name, hex(color)); }
std::string place(const Rect& area) {
  return attribute("x", area.x) + attribute("y", area.y) + attribute("width", area.width) +
         attribute("height", area.height);
}

class SvgCanvas final : public Canvas {
 public:
  explicit SvgCanvas(Size size) {
    svg_ =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" " +
        std::string("xmlns:xlink=\"http://www.w3.org/1999/xlink\"") +
        attribute("width", number(size.width) + "pt") +
        attribute("height", number(size.height) + "pt") +
        attribute("viewBox", "0 0 " + number(size.width) + " " + number(size.height)) +
        // The first is what text was measured with where Debian's fonts are, and the second is
        // as wide.
        attribute("font-family", "DejaVu Sans, Verdana, sans-serif") + ">\n";
  }

  void fill(const Rect& area, Color color) override {
    put("rect", place(area) + attribute("fill", color) + " shape-rendering=\"crispEdges\"");
  }

  void frame(const Rect& area, double width, Color color) override {
    put("rect",
        place({area.x - width / 2, area.y - width / 2, area.width + width, area.height + width}) +
            " fill=\"none\"" + attribute("stroke", color) + attribute("stroke-width", width));
  }

  void polyline(const std::vector<Point>& points, double width, Color color, bool dashed) override {
    std::string path;
    for (const Point& point : points)
      path += (path.empty() ? "" : " ") + number(point.x) + "," + number(point.y);
    put("polyline",
        attribute("points", path) + " fill=\"none\"" + attribute("stroke", color) +
            attribute("stroke-width", width) + " stroke-linejoin=\"round\"" +
            attribute("stroke-linecap", std::string(dashed ? "butt" : "square")) +
            (dashed ? attribute("stroke-dasharray", number(4 * width) + " " + number(2 * width))
                    : ""));
  }

  void dot(Point center, double radius, Color color) override {
    put("circle", attribute("cx", center.x) + attribute("cy", center.y) + attribute("r", radius) +
                      attribute("fill", color));
  }

  void text(Point at, const std::string& text, const TextStyle& style) override {
    using Across = TextStyle::Across;
    const TextLine line = lay_out(text, style.size, style.bold, style.widest);
    find_missing(line, missing_);
    const double down = style.down == TextStyle::Down::top      ? 0
                        : style.down == TextStyle::Down::middle ? 0.5
                                                                : 1;
    const double y = line.baseline - down * line.size.height;
    std::string where = attribute("x", at.x) + attribute("y", at.y + y);
    if (style.turn != 0)
      where = attribute("y", y) +
              attribute("transform", "translate(" + number(at.x) + " " + number(at.y) +
                                         ") rotate(" + number(-style.turn) + ")");
    const char* const anchor = style.across == Across::left     ? "start"
                               : style.across == Across::center ? "middle"
                                                                : "end";
    svg_ += "<text" + where + attribute("font-size", style.size) +
            (style.bold ? " font-weight=\"bold\"" : "") +
            attribute("text-anchor", std::string(anchor)) + attribute("fill", style.color) +
            " xml:space=\"preserve\">" + escaped(line.text) + "</text>\n";
  }

  void cells(const Rect& area, std::int64_t rows, std::int64_t columns,
             const std::vector<Color>& colors) override {
    if (few_cells(area, rows, columns, colors)) return;
    std::string png;
    check(cairo_surface_write_to_png_stream(cells_image(rows, columns, colors, true).get(),
                                            append_to_string, &png));
    const std::unique_ptr<char, void (*)(void*)> coded(
        g_base64_encode(reinterpret_cast<const guchar*>(png.data()), png.size()), g_free);
    put("image", place(area) + " preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\"" +
                     attribute("xlink:href", std::string("data:image/png;base64,") + coded.get()));
  }

  void clip(const Rect& area) override {
    const std::string name = "clip" + std::to_string(++clips_);
    svg_ += "<clipPath" + attribute("id", name) + "><rect" + place(area) + "/></clipPath>\n<g" +
            attribute("clip-path", "url(#" + name + ")") + ">\n";
  }

  void unclip() override { svg_ += "</g>\n"; }

  Picture finish() override { return {std::move(svg_) + "</svg>\n", std::move(missing_)}; }

 private:
  void put(const char* element, const std::string& attributes) {
    svg_ += std::string("<") + element + attributes + "/>\n";
  }

  std::string svg_;
  int clips_ = 0;
  std::set<char32_t> missing_;
};

}  // namespace

std::unique_ptr<Canvas> make_svg_canvas(Size size) { return std::make_unique<SvgCanvas>(size); }

}  // namespace tt::plot
