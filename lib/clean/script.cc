#include "clean/script.h"

#include <algorithm>

#include "base/error.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "markup/tags.h"
#include "text/placeholders.h"

namespace tt::clean {

Script::Script(const std::string& source, const std::string& target, double share)
    : source_(of(source)), target_(of(target)), share_(share) {}

Script::Scripts Script::of(const std::string& language) {
  std::vector<int> scripts = scripts_of_language(language);
  if (scripts.empty())
    throw Error(
        "no script is known of the language ", in_quotes(language),
        "; give its ISO 639 code, as de, and where that is not enough its script, as sr-Latn");
  const bool latin = has_script(U'a', scripts);
  return {std::move(scripts), latin};
}

bool Script::is_other(const Side& side, const Scripts& scripts) const {
  if (side.ascii && scripts.latin) return false;
  std::string without_tags;
  std::string_view text = side.text;
  if (side.has('<')) {
    std::size_t at = 0;
    for (const markup::Token& tag : markup::tags_in(text)) {
      without_tags += text.substr(at, tag.begin - at);
      at = tag.end;
    }
    text = without_tags += text.substr(at);
  }
  const bool placeholders = side.may_have_placeholders();
  std::size_t letters = 0, others = 0, other_own = 0;  // of ASCII; not of ASCII
  const char *at = text.data(), *const end = at + text.size();
  while (at < end) {
    if (const auto byte = static_cast<unsigned char>(*at); byte < 0x80) {
      const bool letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
      letters += letter;
      const auto begin = static_cast<std::size_t>(at - text.data());
      at += letter || !placeholders
                ? 1
                : std::max<std::size_t>(placeholder_end(text, begin) - begin, 1);
      continue;
    }
    const char32_t c = next_code_point(at, end);
    if (is_letter(c)) ++others, other_own += has_script(c, scripts.scripts);
  }
  const std::size_t own = other_own + (scripts.latin ? letters : 0);
  return static_cast<double>(own) < share_ * static_cast<double>(letters + others);
}

}  // namespace tt::clean
