#include <string>

#include "clean/agreement.h"
#include "clean/pair_rules.h"
#include "text/kept.h"

namespace tt::clean {
namespace {

// Whether it is worth the time to look for addresses.
bool may_have(const Side& side) {
  return side.has('@') || (side.has(':') && side.has('/')) ||
         (side.has('.') && (side.has('w') || side.has('W')) &&
          (side.text.find("www.") != std::string_view::npos ||
           side.text.find("WWW.") != std::string_view::npos));
}

std::vector<std::string> find(const Side& side) {
  std::vector<std::string> found;
  if (!may_have(side)) return found;
  std::string text(side.text);
  for (const TextRange& range : find_kept(text, {.urls = true, .emails = true})) {
    found.push_back(text.substr(range.begin, range.end - range.begin));
    while (found.back().ends_with('/')) found.back().pop_back();
  }
  return found;
}

}  // namespace

bool addresses(const Pair& pair, double) {
  std::vector<std::string> source = find(pair.source), target = find(pair.target);
  return !same_things(source, target);
}

}  // namespace tt::clean
