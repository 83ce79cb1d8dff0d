// Rules that look for things which both sides have, or none.
#include <string>

#include "base/capitals.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "clean/agreement.h"
#include "clean/pair_rules.h"
#include "markup/tags.h"
#include "text/kept.h"

namespace tt::clean {
namespace {

bool differ(const Pair& pair, std::vector<std::string> (*find)(const Side&)) {
  std::vector<std::string> source = find(pair.source), target = find(pair.target);
  return !same_things(source, target);
}

// Whether it is worth the time to look for addresses.
bool may_have(const Side& side) {
  return side.has('@') || (side.has(':') && side.has('/')) ||
         (side.has('.') && (side.has('w') || side.has('W')) &&
          (side.text.find("www.") != std::string_view::npos ||
           side.text.find("WWW.") != std::string_view::npos));
}

std::vector<std::string> addresses_of(const Side& side) {
  std::vector<std::string> found;
  if (!may_have(side)) return found;
  std::string text(side.text);
  for (const TextRange& range : find_kept(text, {.urls = true, .emails = true})) {
    found.emplace_back(range.in(text));
    while (found.back().ends_with('/')) found.back().pop_back();
  }
  return found;
}

std::vector<std::string> escapes_of(const Side& side) {
  constexpr std::string_view kHex = "0123456789abcdefABCDEF";
  std::vector<std::string> found;
  if (!side.has('\\')) return found;
  const std::string_view text = side.text;
  for (std::size_t at = 0; (at = text.find('\\', at)) != text.npos && ++at < text.size();) {
    const std::size_t digits = text[at] == 'u' ? 4 : text[at] == 'U' ? 8 : text[at] == 'x' ? 2 : 0;
    const std::string_view code = text.substr(at + 1, digits);
    if (digits > 0 && code.size() == digits && code.find_first_not_of(kHex) == code.npos)
      found.push_back(ascii_small(code));
    else ++at;  // that of a backslash
  }
  return found;
}

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

bool addresses(const Pair& pair, double) { return differ(pair, addresses_of); }

bool escapes(const Pair& pair, double) { return differ(pair, escapes_of); }

bool markup_differs(const Pair& pair, double) {
  return has_entities(pair.source) != has_entities(pair.target) || differ(pair, elements);
}

}  // namespace tt::clean
