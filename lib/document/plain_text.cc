#include "document/plain_text.h"

#include <cctype>
#include <map>
#include <set>

#include "base/shortened.h"
#include "markup/tags.h"

namespace tt::document {
namespace {

struct Tag {
  std::string name, shown;  // "b", "<b>"; without attributes, whose values may be translated
  bool sure;                // it is no word in angle brackets
};

// <?php, <!DOCTYPE, <!-- or <![CDATA[, and not <?> or <!> of what is to be filled in.
bool is_declaration(std::string_view name) {
  return name.starts_with("!--") || name.starts_with("![") ||
         (name.size() > 1 && (name[0] == '!' || name[0] == '?') &&
          std::isalpha(static_cast<unsigned char>(name[1])));
}

std::vector<Tag> tags_of(std::string_view text) {
  static const std::set<std::string_view> known{"b", "B", "br",     "BR", "em", "hr", "i",
                                                "I", "p", "strong", "tt", "u",  "U"};
  std::vector<Tag> tags;
  for (const markup::Token& token : markup::tags_in(text)) {
    const std::string_view tag = token.in(text);
    const bool closes = tag.starts_with("</"), single = tag.ends_with("/>");
    const std::size_t begin = closes ? 2 : 1;
    const std::string name(tag.substr(begin, tag.find_first_of(" \t\n/>", begin) - begin));
    tags.push_back({name, (closes ? "</" : "<") + name + (single ? "/>" : ">"),
                    closes || single || is_declaration(name) || tag.find('=') != tag.npos ||
                        known.contains(name)});
  }
  return tags;
}

}  // namespace

std::string wrong_marks(const std::vector<std::string>& text,
                        const std::vector<std::string>& translated) {
  std::map<std::string_view, std::size_t> left;
  for (const std::string& mark : text) ++left[mark];
  for (const std::string& mark : translated)
    if (left[mark]-- == 0) return "has " + shortened(mark) + " where the text has none, or fewer";
  for (const std::string& mark : text)
    if (left[mark] > 0) return "lacks " + shortened(mark);
  return {};
}

std::string wrong_tags(std::string_view text, std::string_view translated) {
  const std::vector<Tag> source = tags_of(text), target = tags_of(translated);
  std::set<std::string_view> names;
  for (const std::vector<Tag>* tags : {&source, &target})
    for (const Tag& tag : *tags)
      if (tag.sure) names.insert(tag.name);
  std::vector<std::string> ours, theirs;  // of elements of these names
  for (const Tag& tag : source)
    if (names.contains(tag.name)) ours.push_back(tag.shown);
  for (const Tag& tag : target)
    if (names.contains(tag.name)) theirs.push_back(tag.shown);
  if (std::string wrong = wrong_marks(ours, theirs); !wrong.empty()) return wrong;
  return markup::well_nested(ours) && !markup::well_nested(theirs) ? "has tags that are not nested"
                                                                   : "";
}

std::optional<std::string> plain_translation(Editor& editor, std::size_t at, std::string_view text,
                                             bool same) {
  auto translated = editor.translation(at, text, same);
  if (!translated) return {};
  const std::string wrong = wrong_tags(text, *translated);
  if (wrong.empty()) return translated;
  return editor.refuse(wrong);
}

}  // namespace tt::document
