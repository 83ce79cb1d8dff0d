#include <string>

#include "base/capitals.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "clean/agreement.h"
#include "clean/pair_rules.h"
#include "markup/tags.h"

namespace tt::clean {
namespace {

// The elements whose tags a side has: "b" and "/b", also of <B>, as in HTML. Values of attributes
// may be translated.
std::vector<std::string> elements(const Side& side) {
  std::vector<std::string> names;
  if (!side.has('<')) return names;
  for (const markup::Token& token : markup::tags_in(side.text)) {
    const std::string_view tag = token.in(side.text).substr(1);
    names.push_back(ascii_small(tag.substr(0, tag.find_first_of(" \t/>", 1))));
  }
  return names;
}

// Spaces are a matter of a language's typography.
bool has_entities(const Side& side) {
  if (!side.has('&')) return false;
  for (std::size_t at = 0; (at = side.text.find('&', at)) != side.text.npos;) {
    const std::size_t end = markup::entity_end(side.text, at);
    if (const auto character = markup::entity(side.text, markup::Syntax::unknown, at)) {
      const char* first = character->data();
      const char32_t c = next_code_point(first, first + character->size());
      if (!is_space(c) && c != U'\u00AD') return true;
    } else if (end > at) {
      return true;
    } else {
      ++at;
    }
  }
  return false;
}

}  // namespace

bool markup_differs(const Pair& pair, double) {
  if (has_entities(pair.source) != has_entities(pair.target)) return true;
  std::vector<std::string> source = elements(pair.source), target = elements(pair.target);
  return !same_things(source, target);
}

}  // namespace tt::clean
