#include "clean/placeholders.h"

#include <charconv>
#include <map>
#include <string>
#include <vector>

#include "clean/agreement.h"
#include "text/placeholders.h"

namespace tt::clean {
namespace {

// A placeholder, apart from the argument that it stands for.
struct Placeholder {
  std::string text;
  std::size_t number = 0;  // of the argument, from 1; 0: the next one, or none
  std::size_t takes = 0;   // how many arguments, if of the next ones
};

Placeholder read(std::string_view one) {
  if (const auto c = conversion_of(one)) {
    const bool next = c->number == 0 && c->name.empty() && c->type != "m";
    return {'%' + c->name + c->type, c->number,
            next ? 1 + static_cast<std::size_t>(std::ranges::count(c->type, '*')) : 0};
  }
  if (one.starts_with('{')) {  // of Python: {} and {:.2f}, or {0} and {0:.2f}
    std::size_t number = 0;
    const char* const begin = one.data() + 1;
    const auto [end, error] = std::from_chars(begin, one.data() + one.size(), number);
    if (const char next = end < one.data() + one.size() ? *end : '\0';
        (end == begin || error == std::errc()) && (next == '}' || next == ':' || next == '!'))
      return {'{' + std::string(end, one.data() + one.size()), end == begin ? 0 : number + 1,
              end == begin ? std::size_t{1} : 0};
  }
  return {std::string(one)};
}

// Those with text for readers inside are translated, and how many escapes end lines is a matter of
// the layout. A percent sign behind a number is one.
std::vector<Placeholder> find(const Side& side) {
  std::vector<Placeholder> found;
  if (!side.may_have_placeholders()) return found;
  for (std::size_t at = 0;
       (at = side.text.find_first_of("%{$#\\", at)) != std::string_view::npos;) {
    const std::size_t end = placeholder_end(side.text, at);
    const std::string_view one = side.text.substr(at, end - at);
    if (end > at && !one.starts_with('\\') && !has_message(one) && one != "%%")
      found.push_back(read(one));
    at = end > at ? end : at + 1;
  }
  return found;
}

// With numbers, those that take the next arguments have them too, so that they can be compared with
// others that say their own.
std::vector<std::string> named(const std::vector<Placeholder>& all, std::string_view numbered) {
  std::vector<std::string> names;
  std::map<char, std::size_t> arguments;
  for (const Placeholder& p : all) {
    const char kind = p.text[0];
    std::size_t number = p.number;
    if (p.takes > 0) number = arguments[kind] += p.takes;
    const bool has = number > 0 && numbered.find(kind) != numbered.npos;
    names.push_back(has ? p.text + std::to_string(number) : p.text);
  }
  return names;
}

}  // namespace

bool Placeholders::drops(const Pair& pair) {
  const std::vector<Placeholder> source = find(pair.source), target = find(pair.target);
  if (source.empty() && target.empty()) return false;
  std::string numbered;  // the signs that begin placeholders of which some say their argument
  for (const auto* side : {&source, &target})
    for (const Placeholder& p : *side)
      if (p.number > 0) numbered += p.text[0];
  std::vector<std::string> wanted = named(source, numbered), given = named(target, numbered);
  return !same_things(wanted, given);
}

}  // namespace tt::clean
