#include "document/plain_text.h"

#include <map>
#include <set>
#include <vector>

#include "document/marked_text.h"
#include "text/markup.h"

namespace tt::document {
namespace {

struct Tag {
  std::string shown, name;
};

std::vector<Tag> tags_of(std::string_view text) {
  std::vector<Tag> tags;
  for (const TextRange& range : tags_in(text)) {
    const std::string shown = single_spaces(text.substr(range.begin, range.end - range.begin));
    const std::size_t begin = shown.starts_with("</") ? 2 : 1;
    tags.push_back({shown, shown.substr(begin, shown.find_first_of(" />", begin) - begin)});
  }
  return tags;
}

// The names of what is surely a tag.
void add_names(const std::vector<Tag>& tags, std::set<std::string>& names) {
  static const std::set<std::string_view> known{"b", "B", "br",     "BR", "em", "hr", "i",
                                                "I", "p", "strong", "tt", "u",  "U"};
  for (const Tag& tag : tags)
    if (tag.shown.starts_with("</") || tag.shown.ends_with("/>") || tag.name.starts_with('!') ||
        tag.name.starts_with('?') || tag.shown.find('=') != tag.shown.npos ||
        known.contains(tag.name))
      names.insert(tag.name);
}

}  // namespace

std::string wrong_tags(std::string_view text, std::string_view translated) {
  const std::vector<Tag> source = tags_of(text), target = tags_of(translated);
  std::set<std::string> names;
  add_names(source, names);
  add_names(target, names);
  std::map<std::string_view, std::size_t> left;
  std::vector<std::string> shown, others;
  for (const Tag& tag : source)
    if (names.contains(tag.name)) {
      ++left[tag.shown];
      shown.push_back(tag.shown);
    }
  for (const Tag& tag : target) {
    if (!names.contains(tag.name)) continue;
    if (left[tag.shown] == 0) return "has " + tag.shown + " where the text has none, or fewer";
    --left[tag.shown];
    others.push_back(tag.shown);
  }
  for (const std::string& tag : shown)
    if (left[tag] > 0) return "lacks " + tag;
  return well_nested(shown) && !well_nested(others) ? "has tags that are not nested" : "";
}

std::optional<std::string> plain_translation(Editor& editor, std::size_t at, std::string_view text,
                                             bool same) {
  auto translated = editor.translation(at, text, same);
  if (!translated) return {};
  const std::string wrong = wrong_tags(text, *translated);
  if (wrong.empty()) return translated;
  editor.refuse(wrong);
  return {};
}

}  // namespace tt::document
