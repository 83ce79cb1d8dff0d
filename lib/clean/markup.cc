#include "clean/markup.h"

#include <string>

#include "base/capitals.h"
#include "clean/agreement.h"
#include "text/markup.h"

namespace tt::clean {
namespace {

std::string_view stretch(const Side& side, const TextRange& range) {
  return side.text.substr(range.begin, range.end - range.begin);
}

// The elements whose tags a side has: "b" and "/b", also of <B>, as in HTML. Values of attributes
// may be translated.
std::vector<std::string> elements(const Side& side) {
  std::vector<std::string> names;
  if (!side.has('<')) return names;
  for (const TextRange& range : tags_in(side.text)) {
    const std::string_view tag = stretch(side, range).substr(1);
    names.push_back(ascii_small(tag.substr(0, tag.find_first_of(" \t/>", 1))));
  }
  return names;
}

// Spaces are a matter of a language's typography.
bool has_entities(const Side& side) {
  if (!side.has('&')) return false;
  for (const TextRange& range : entities_in(side.text)) {
    const std::string_view entity = stretch(side, range);
    if (!entity.ends_with("sp;") && entity != "&shy;" && entity != "&#160;") return true;
  }
  return false;
}

}  // namespace

bool Markup::drops(const Pair& pair) {
  if (has_entities(pair.source) != has_entities(pair.target)) return true;
  std::vector<std::string> source = elements(pair.source), target = elements(pair.target);
  return !same_things(source, target);
}

}  // namespace tt::clean
