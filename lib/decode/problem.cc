#include "decode/problem.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/formatted.h"
#include "base/report.h"
#include "base/shortened.h"
#include "base/unicode.h"
#include "base/utf8.h"

namespace tt {
namespace {

enum class Shown { plain, quoted, characters };

struct Words {
  const char* text;
  Shown of = Shown::plain;
  const char* between = ", ";
};

const Words& words(Reason reason) {
  using enum Shown;
  static const Words all[] = {
#define X(reason, ...) {__VA_ARGS__},
      TT_REASONS(X)
#undef X
  };
  return all[static_cast<std::size_t>(reason)];
}

// A character as it is, or by its number where one would not see it alone.
std::string visible(std::string_view character) {
  const char* at = character.data();
  const char32_t c = next_code_point(at, at + character.size());
  if (!is_invisible(c) && !is_mark(c)) return std::string(character);
  return formatted("U+%04X", static_cast<unsigned>(c));
}

// Each once, with how often, in the order in which they come first.
std::string list_of(const std::vector<std::string>& names, const Words& how) {
  constexpr std::size_t kMost = 10;
  std::vector<std::string> once;
  std::map<std::string, std::size_t> counts;
  for (const std::string& name : names)
    if (counts[name]++ == 0) once.push_back(name);
  std::string all;
  for (std::size_t i = 0; i < std::min(kMost, once.size()); ++i)
    all += (i ? how.between : "") +
           (how.of == Shown::plain    ? once[i].starts_with('<') ? shortened(once[i]) : once[i]
               : how.of == Shown::quoted ? in_quotes(once[i])
                                      : visible(once[i])) +
           (counts[once[i]] == 1 ? "" : " (" + with_commas(counts[once[i]]) + " times)");
  return all + (once.size() > kMost ? ", and " + with_commas(once.size() - kMost) + " others" : "");
}

}  // namespace

std::string reason_of(const Problem& p) {
  std::string text = words(p.reason).text;
  if (const std::size_t at = text.find('@'); at != std::string::npos) text.replace(at, 1, p.name);
  return text;
}

std::string text_of(const Problem& p) {
  std::string text = words(p.reason).text;
  if (const std::size_t at = text.find('#'); at != std::string::npos) {
    if (p.number == 1) text.erase(text.find_first_of(" ;", at + 2) - 1, 1);  // that of a plural
    text.replace(at, 1, with_commas(p.number));
  }
  if (const std::size_t at = text.find('@'); at != std::string::npos) text.replace(at, 1, p.name);
  return text + (p.of.empty() ? "" : ": " + list_of(p.of, words(p.reason)));
}

void Problems::add(Problem problem) {
  const auto same = [&](const Problem& p) {
    return p.reason == problem.reason && p.name == problem.name;
  };
  if (std::ranges::none_of(all_, same)) all_.push_back(std::move(problem));
}

void Problems::add(const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) add(problem);
}

bool Problems::has(std::initializer_list<Reason> any) const {
  return std::ranges::any_of(
      all_, [&](const Problem& p) { return std::ranges::find(any, p.reason) != any.end(); });
}

}  // namespace tt
