#include "clean/script.h"

#include <algorithm>

#include "base/error.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "markup/tags.h"
#include "text/placeholders.h"

namespace tt::clean {

namespace {

Scripts scripts_of(const std::string& language) {
  std::vector<int> scripts = scripts_of_language(language);
  if (scripts.empty())
    throw Error(
        "no script is known of the language ", in_quotes(language),
        "; give its ISO 639 code, as de, and where that is not enough its script, as sr-Latn");
  return Scripts(std::move(scripts));
}

}  // namespace

Scripts::Scripts(std::vector<int> which)
    : scripts(std::move(which)), latin(has_script(U'a', scripts)) {}

Script::Script(const std::string& source, const std::string& target, double share)
    : source_(scripts_of(source)), target_(scripts_of(target)), share_(share) {}

bool in_other_script(const Side& side, const Side& other, const Scripts& scripts, double share) {
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
  std::size_t own = 0, others = 0, names = 0;  // letters; of others those of `names`
  std::size_t run = 0;                         // letters of other scripts before `at`
  const char *at = text.data(), *const end = at + text.size(), *run_begin = at;
  const auto end_run = [&](const char* run_end) {
    others += run;
    if (run > 0 && other.text.find(std::string_view(run_begin, run_end)) != text.npos) names += run;
    run = 0;
  };
  while (at < end) {
    const char* const here = at;
    const auto byte = static_cast<unsigned char>(*at);
    const char32_t c = byte < 0x80 ? static_cast<unsigned char>(*at++) : next_code_point(at, end);
    const bool letter = byte < 0x80 ? (c | 0x20) >= 'a' && (c | 0x20) <= 'z' : is_letter(c);
    if (letter && !(byte < 0x80 ? scripts.latin : has_script(c, scripts.scripts))) {
      if (run++ == 0) run_begin = here;
      continue;
    }
    end_run(here);
    own += letter;
    if (placeholders && byte < 0x80 && !letter) {
      const auto begin = static_cast<std::size_t>(here - text.data());
      at = std::max(at, text.data() + placeholder_end(text, begin));
    }
  }
  end_run(end);
  const auto too_few = [&](std::size_t all) {
    return static_cast<double>(own) < share * static_cast<double>(all);
  };
  // Words that both sides have are names, unless nothing else is there.
  return too_few(own + others) && (own == 0 || too_few(own + others - names));
}

}  // namespace tt::clean
