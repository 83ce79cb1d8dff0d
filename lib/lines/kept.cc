// Stretches of lines that their translations have as they are.
#include "text/kept.h"

#include <algorithm>
#include <set>

#include "base/unicode.h"
#include "decode/missing_kept.h"
#include "lines/transforms.h"
#include "text/placeholders.h"

namespace tt {
namespace {

// Adds the problems of a line with its placeholders.
void check_placeholders(LineText& line) {
  const auto letter = [](char32_t c) { return is_letter(c) || is_mark(c); };
  const auto add = [&](Reason reason, std::string_view placeholder) {
    if (!placeholder.empty()) line.problems.add({reason, {std::string(placeholder)}});
  };
  for (const Requirement& w : line.requirements) {
    if (placeholder_end(w.source, 0) != w.source.size()) continue;
    if (letter(character_before(line.text, w.place.begin)) &&
        letter(character_at(line.text, w.place.end)))
      add(Reason::placeholder_in_word, w.source);
    if (has_message(w.source)) add(Reason::placeholder_with_text, w.source);
  }
  add(Reason::placeholder_without_end, unfinished_placeholder(line.text));
}

// Placeholders that the translation has and the source has not, or less often.
std::vector<std::string> added(std::string source, std::string translation) {
  const Keep only{.urls = true, .placeholders = true};
  std::multiset<std::string, std::less<>> left;
  for (const TextRange& r : find_kept(source, only)) left.emplace(r.in(source));
  std::vector<std::string> all;
  for (const TextRange& r : find_kept(translation, only))
    if (const auto found = left.find(r.in(translation)); found != left.end()) left.erase(found);
    else all.emplace_back(r.in(translation));
  return all;
}

void check_kept(const Keep& keep, const LineTranslation&, const std::string& text, LineText& line) {
  std::vector<std::string> missing;
  for (const std::size_t w : missing_kept(line.requirements, line.text, text, keep))
    missing.push_back(line.requirements[w].source);
  if (!missing.empty()) line.problems.add({Reason::not_kept, missing});
  if (!keep.placeholders) return;
  if (const auto more = added(line.text, text); !more.empty())
    line.problems.add({Reason::placeholders_added, more});
}

}  // namespace

Transform kept_transform(const LineOptions& options, const LineModels&) {
  const Keep& asked = options.keep;
  if (!asked.marked && !asked.urls && !asked.emails && !asked.numbers && !asked.placeholders)
    return nullptr;
  return [keep = asked](LineText& line) -> Undo {
    std::vector<TextRange>& stays = line.untranslated;
    const std::size_t stayed = stays.size();
    for (const TextRange& r : find_kept(line.text, keep)) {
      const auto stretch =
          std::partition_point(stays.begin(), stays.begin() + static_cast<std::ptrdiff_t>(stayed),
                               [&](const TextRange& before) { return before.end <= r.begin; });
      if (stretch != stays.begin() + static_cast<std::ptrdiff_t>(stayed) && stretch->begin < r.end)
        continue;
      const std::string text(r.in(line.text));
      if (keep.placeholders && is_line_break(text)) stays.push_back(r);
      else line.requirements.push_back({text, {text}, true, r});
    }
    std::ranges::sort(stays, {}, &TextRange::begin);
    if (keep.placeholders) check_placeholders(line);
    return {.check = std::bind_front(check_kept, keep)};
  };
}

}  // namespace tt
