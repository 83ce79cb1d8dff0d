#include "markup/elements.h"

#include <string>

namespace tt::markup {
namespace {

constexpr std::string_view
    // The standard's, and <image>, which is read as <img>.
    kVoid =
        " area base basefont bgsound br col embed frame hr image img input keygen link meta param "
        "source track wbr ",
    kBlock =
        " address applet area article aside audio base basefont bgsound blockquote body br canvas "
        "caption center col colgroup dd details dialog dir div dl dt embed fieldset figcaption "
        "figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe "
        "legend li link listing main map marquee menu meta nav noembed noframes noscript ol "
        "optgroup option p param plaintext pre script search section select source style summary "
        "table tbody td template textarea tfoot th thead title tr track ul video xmp ",
    kRaw = " iframe noembed noframes script style textarea title xmp ",
    kUntranslated = " iframe listing math noembed noframes pre script style svg textarea xmp ",
    kCode = " code kbd samp tt var ",
    kMayStayOpen =
        " body colgroup dd dt head html li optgroup option p rb rp rt rtc tbody td tfoot th thead "
        "tr ";

}  // namespace

bool has_name(std::string_view list, std::string_view name) {
  return !name.empty() && list.find(" " + std::string(name) + " ") != list.npos;
}
bool is_void(std::string_view name) { return has_name(kVoid, name); }
bool is_block(std::string_view name) {
  return has_name(kBlock, name) || name.find('-') != name.npos;
}
bool is_raw(std::string_view name) { return has_name(kRaw, name); }
bool is_untranslated(std::string_view name) { return has_name(kUntranslated, name); }
bool is_code(std::string_view name) { return has_name(kCode, name); }
bool may_stay_open(std::string_view name) { return has_name(kMayStayOpen, name); }

}  // namespace tt::markup
