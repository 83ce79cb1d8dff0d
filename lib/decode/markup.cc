#include "decode/markup.h"

#include <set>

namespace tt {
namespace {

bool is_name(char c, bool first) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (!first && ((c >= '0' && c <= '9') || c == '-' || c == ':' || c == '_' || c == '.'));
}

// The name of a tag's element.
std::string_view name_of(std::string_view tag) {
  const std::size_t begin = tag.starts_with("</") ? 2 : 1;
  std::size_t end = begin;
  while (end < tag.size() && is_name(tag[end], end == begin)) ++end;
  return tag.substr(begin, end - begin);
}

}  // namespace

std::vector<TextRange> tags_in(std::string_view text) {
  std::vector<TextRange> tags;
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string_view::npos; ++at) {
    const std::size_t end = text.find_first_of("<>", at + 1);
    if (end == std::string_view::npos) break;
    const std::string_view tag = text.substr(at, end + 1 - at), name = name_of(tag);
    if (text[end] == '<' || name.empty()) continue;
    const std::string_view behind = tag.substr(static_cast<std::size_t>(name.data() + name.size() - tag.data()));
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
    while (end < text.size() && end - at < kLongest && (is_name(text[end], true) || (text[end] >= '0' && text[end] <= '9')))
      ++end;
    if (end > at + 1 + number && end < text.size() && text[end] == ';') entities.push_back({at, end + 1});
  }
  return entities;
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
    const std::string_view tag = text.substr(r.begin, r.end - r.begin), before = text.substr(open.begin, open.end - open.begin);
    const bool closes = tag.starts_with("</") && !before.empty() && name_of(tag) == name_of(before);
    empty += closes && words_of(text.substr(open.end, r.begin - open.end)).empty();
    open = tag.starts_with("</") || tag.ends_with("/>") ? TextRange{0, 0} : r;
  }
  return empty;
}

}  // namespace tt
