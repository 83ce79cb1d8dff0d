#include "clean/placeholders.h"

#include <string_view>

#include "clean/agreement.h"
#include "text/placeholders.h"

namespace tt::clean {
namespace {

// Those with text for readers inside are translated, and how many escapes end lines is a matter of
// the layout. A percent sign behind a number is one.
void find(const Side& side, std::vector<std::string_view>& found) {
  found.clear();
  if (!side.has('%') && !side.has('{') && !side.has('$') && !side.has('\\')) return;
  for (std::size_t at = 0;
       (at = side.text.find_first_of("%{$#\\", at)) != std::string_view::npos;) {
    const std::size_t end = placeholder_end(side.text, at);
    const std::string_view one = side.text.substr(at, end - at);
    if (end > at && !one.starts_with('\\') && !has_message(one) && one != "%%")
      found.push_back(one);
    at = end > at ? end : at + 1;
  }
}

}  // namespace

bool Placeholders::drops(const Pair& pair) {
  std::vector<std::string_view> source, target;
  find(pair.source, source), find(pair.target, target);
  return !same_things(source, target);
}

}  // namespace tt::clean
