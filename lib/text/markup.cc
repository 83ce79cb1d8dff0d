#include "text/markup.h"

#include <set>

#include "base/unicode.h"
#include "base/utf8.h"

namespace tt {
namespace {

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The name of a tag's element.
std::string_view name_of(std::string_view tag) {
  const std::size_t begin = tag.starts_with("</") ? 2 : 1;
  const char *end = tag.data() + begin, *const behind = tag.data() + tag.size();
  for (const char* next = end; next < behind; end = next) {
    const bool first = next == tag.data() + begin;
    const char32_t c = next_code_point(next, behind);
    if (!is_letter(c) && c != U'_' &&
        (first || !(is_mark(c) || is_digit(c) || c == U'-' || c == U':' || c == U'.')))
      break;
  }
  return {tag.data() + begin, end};
}

// A stretch between two marks, whatever stands there.
struct Enclosure {
  std::string_view open, close;
  std::size_t last = 0;  // where the last close of the text begins, or npos
};

// Where the comment, processing instruction or declaration that begins at `at` ends; `at` if there
// is none.
std::size_t enclosure_end(std::string_view text, std::size_t at,
                          const std::vector<Enclosure>& kinds) {
  for (const Enclosure& kind : kinds) {
    const std::size_t inside = at + kind.open.size();
    if (!text.substr(at).starts_with(kind.open) || kind.last == std::string_view::npos ||
        kind.last < inside)
      continue;
    if (kind.open == "<!" && !is_ascii_letter(text[inside])) continue;
    return text.find(kind.close, inside) + kind.close.size();
  }
  return at;
}

}  // namespace

std::vector<TextRange> tags_in(std::string_view text) {
  std::vector<TextRange> tags;
  std::vector<Enclosure> kinds{{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
  for (Enclosure& kind : kinds) kind.last = text.rfind(kind.close);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string_view::npos; ++at) {
    if (const std::size_t behind = enclosure_end(text, at, kinds); behind > at) {
      tags.push_back({at, behind});
      at = behind - 1;
      continue;
    }
    const std::size_t end = text.find_first_of("<>", at + 1);
    if (end == std::string_view::npos) break;
    const std::string_view tag = text.substr(at, end + 1 - at), name = name_of(tag);
    if (text[end] == '<' || name.empty()) continue;
    const std::string_view behind =
        tag.substr(static_cast<std::size_t>(name.data() + name.size() - tag.data()));
    if (behind != ">" && behind != "/>" && behind[0] != ' ' && behind[0] != '\t') continue;
    tags.push_back({at, end + 1});
    at = end;
  }
  return tags;
}

std::vector<TextRange> entities_in(std::string_view text) {
  constexpr std::size_t kLongest = 32;  // of HTML
  std::vector<TextRange> entities;
  for (std::size_t at = 0; (at = text.find('&', at)) != std::string_view::npos; ++at) {
    const bool number = text.substr(at + 1).starts_with('#');
    std::size_t end = at + 1 + number;
    while (end < text.size() && end - at < kLongest &&
           (is_ascii_letter(text[end]) || (text[end] >= '0' && text[end] <= '9')))
      ++end;
    if (end > at + 1 + number && end < text.size() && text[end] == ';')
      entities.push_back({at, end + 1});
  }
  return entities;
}

bool is_block(std::string_view name) {
  static const std::set<std::string_view> names{
      "address",  "applet",  "area",       "article",  "aside",    "audio",      "base",
      "basefont", "bgsound", "blockquote", "body",     "br",       "canvas",     "caption",
      "center",   "col",     "colgroup",   "dd",       "details",  "dialog",     "dir",
      "div",      "dl",      "dt",         "embed",    "fieldset", "figcaption", "figure",
      "footer",   "form",    "frame",      "frameset", "h1",       "h2",         "h3",
      "h4",       "h5",      "h6",         "head",     "header",   "hgroup",     "hr",
      "html",     "iframe",  "legend",     "li",       "link",     "listing",    "main",
      "map",      "marquee", "menu",       "meta",     "nav",      "noembed",    "noframes",
      "noscript", "ol",      "optgroup",   "option",   "p",        "param",      "plaintext",
      "pre",      "script",  "search",     "section",  "select",   "source",     "style",
      "summary",  "table",   "tbody",      "td",       "template", "textarea",   "tfoot",
      "th",       "thead",   "title",      "tr",       "track",    "ul",         "video",
      "xmp"};
  return names.contains(name) || name.find('-') != name.npos;
}

bool well_nested(const std::vector<std::string>& tags) {
  std::set<std::string_view> closed;
  for (const std::string& tag : tags)
    if (tag.starts_with("</")) closed.insert(name_of(tag));
  std::vector<std::string_view> open;
  for (const std::string& tag : tags) {
    if (!tag.starts_with("</")) {
      if (closed.contains(name_of(tag)) && !tag.ends_with("/>")) open.push_back(name_of(tag));
    } else {
      if (open.empty() || open.back() != name_of(tag)) return false;
      open.pop_back();
    }
  }
  return open.empty();
}

std::size_t empty_elements(std::string_view text) {
  std::size_t empty = 0;
  TextRange open{0, 0};
  for (const TextRange& r : tags_in(text)) {
    const std::string_view tag = text.substr(r.begin, r.end - r.begin),
                           before = text.substr(open.begin, open.end - open.begin);
    const bool closes = tag.starts_with("</") && !before.empty() && name_of(tag) == name_of(before);
    empty += closes && words_of(text.substr(open.end, r.begin - open.end)).empty();
    open = tag.starts_with("</") || tag.ends_with("/>") ? TextRange{0, 0} : r;
  }
  return empty;
}

}  // namespace tt
