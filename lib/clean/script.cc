#include "clean/script.h"

#include <algorithm>

#include "base/error.h"
#include "base/unicode.h"
#include "base/utf8.h"
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
  const bool placeholders = side.may_have_placeholders();
  std::size_t letters = 0, others = 0, other_own = 0;  // of ASCII; not of ASCII
  const char *at = side.text.data(), *const end = at + side.text.size();
  while (at < end) {
    if (const auto byte = static_cast<unsigned char>(*at); byte < 0x80) {
      const bool letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
      letters += letter;
      const auto begin = static_cast<std::size_t>(at - side.text.data());
      at += letter || !placeholders
                ? 1
                : std::max<std::size_t>(placeholder_end(side.text, begin) - begin, 1);
      continue;
    }
    const char32_t c = next_code_point(at, end);
    if (is_letter(c)) ++others, other_own += has_script(c, scripts.scripts);
  }
  const std::size_t own = other_own + (scripts.latin ? letters : 0);
  return static_cast<double>(own) < share_ * static_cast<double>(letters + others);
}

}  // namespace tt::clean
