#include "lines/degraded.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/formatted.h"
#include "base/report.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "decode/unmet.h"
#include "text/markup.h"
#include "text/unread.h"

namespace tt {
namespace {

constexpr const char* kNotKept = "a stretch that was to be kept is not in the translation";
constexpr const char* kLostTags = "markup is not in the translation";
constexpr const char* kUnplaced = "markup whose place no word of the translation says";
constexpr const char* kTagOrder = "markup is not nested in the translation as in the source";
constexpr const char* kEmpty = "markup has no text between it in the translation";
constexpr const char* kAdded = "the translation has placeholders that the source has not";
constexpr const char* kNoTerm = "no translation of a glossary's term is in the translation";

void add(InputLine& line, Problem problem) {
  const auto same = [&](const Problem& p) { return p.reason == problem.reason; };
  if (std::none_of(line.problems.begin(), line.problems.end(), same))
    line.problems.push_back(std::move(problem));
}

// Each once, with how often, in the order in which they come first.
std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 10;
  std::vector<std::string> once;
  std::map<std::string, std::size_t> counts;
  for (const std::string& name : names)
    if (counts[name]++ == 0) once.push_back(name);
  std::string all;
  for (std::size_t i = 0; i < std::min(kMost, once.size()); ++i)
    all += (i ? ", " : "") + once[i] +
           (counts[once[i]] == 1 ? "" : " (" + with_commas(counts[once[i]]) + " times)");
  return all + (once.size() > kMost ? ", and " + with_commas(once.size() - kMost) + " others" : "");
}

// A character as it is, or by its number where one would not see it alone.
std::string shown(std::string_view character) {
  const char* at = character.data();
  const char32_t c = next_code_point(at, at + character.size());
  if (!is_invisible(c) && !is_mark(c)) return std::string(character);
  return formatted("U+%04X", static_cast<unsigned>(c));
}

std::string bytes_of(std::string_view text, TextRange r) {
  return std::string(text.substr(r.begin, r.end - r.begin));
}

// Tags that the source has outside of what is kept and the translation has not, and whether those
// that both have are in order, around some text.
void add_tags(InputLine& line, const std::string& translation) {
  const std::string& source = line.request.text;
  std::vector<std::string> in_source, in_translation, lost;
  std::multiset<std::string> left;
  for (const TextRange& r : tags_in(translation))
    in_translation.push_back(bytes_of(translation, r));
  left.insert(in_translation.begin(), in_translation.end());
  for (const TextRange& r : tags_in(source)) {
    in_source.push_back(bytes_of(source, r));
    const auto kept = [&](const Requirement& w) {
      return w.verbatim && w.place.begin <= r.begin && r.end <= w.place.end;
    };
    const auto found = left.find(in_source.back());
    if (found != left.end()) left.erase(found);
    else if (std::ranges::none_of(line.request.requirements, kept))
      lost.push_back(in_source.back());
  }
  if (!lost.empty()) add(line, {kLostTags, list_of(lost)});
  else if (well_nested(in_source) && !well_nested(in_translation))
    add(line, {kTagOrder, list_of(in_translation)});
  else if (empty_elements(translation) > empty_elements(source))
    add(line, {kEmpty, list_of(in_translation)});
}

// Placeholders that the translation has and the source has not, or less often.
void add_added(InputLine& line, const std::string& translation) {
  const Keep only{.urls = true, .placeholders = true};
  std::multiset<std::string> left;
  std::string source = line.request.text, text = translation;
  for (const TextRange& r : find_kept(source, only)) left.insert(bytes_of(source, r));
  std::vector<std::string> added;
  for (const TextRange& r : find_kept(text, only))
    if (const auto found = left.find(bytes_of(text, r)); found != left.end()) left.erase(found);
    else added.push_back(in_quotes(bytes_of(text, r)));
  if (!added.empty()) add(line, {kAdded, list_of(added)});
}

void add_unread(InputLine& line, const std::string& subject, std::string_view text,
                const Subword& subword, const std::vector<Requirement>& but, bool known = false) {
  const bool repaired =  // reported as such
      std::ranges::any_of(line.problems,
                          [](const Problem& p) { return p.reason.ends_with("read as U+FFFD"); });
  const auto add_all = [&](const std::string& reason, const std::vector<TextRange>& ranges) {
    std::vector<std::string> characters;
    auto covered = but.begin();  // as the ranges from left to right
    for (const TextRange& r : ranges) {
      while (covered != but.end() && covered->place.end <= r.begin) ++covered;
      const std::string character = bytes_of(text, r);
      if ((covered != but.end() && covered->place.begin <= r.begin) ||
          (repaired && character == "\uFFFD"))
        continue;
      characters.push_back(shown(character));
    }
    if (!characters.empty()) add(line, {subject + reason, list_of(characters), characters.size()});
  };
  const Unread found = known ? Unread{{}, dropped(subword, text)} : unread(subword, text);
  add_all(subword.has_words() ? "# words that the model does not know"
                              : "# characters that the model does not know",
          found.unknown);
  add_all("# characters that the model does not read", found.dropped);
}

// Unknown pieces of translations, where no kept text stands in their place.
void add_unknown(InputLine& line, std::span<const Translation> written, const Subword& target) {
  const std::int32_t unknown = target.unk();
  std::string sign = target.decode(std::span(&unknown, 1));
  std::erase(sign, ' ');
  std::ptrdiff_t most = 0;
  for (const Translation& t : written) {
    std::ptrdiff_t signs = 0;
    for (std::size_t at = t.text.find(sign); at < t.text.size();
         at = t.text.find(sign, at + std::max<std::size_t>(1, sign.size())))
      ++signs;
    most = std::max(most, std::min(signs, std::ranges::count(t.target, unknown)));
  }
  if (most > 0)
    add(line, {"# pieces <unk> in the translation", "", static_cast<std::size_t>(most)});
}

}  // namespace

void add_unplaced(InputLine& line, const std::vector<std::string>& tags) {
  add(line, {kUnplaced, list_of(tags)});
}

void add_uncased(InputLine& line) {
  add(line, {"a title whose words have no capitals in the translation", ""});
}

void add_problems(InputLine& line, const SplitLine& split, const Translated& result,
                  std::int64_t longest, const Keep& keep) {
  if (result.cut)
    add(line, {"longer than " + count_of(static_cast<std::uint64_t>(longest), "piece") +
                   "; translated in parts",
               ""});
  for (const std::string& problem : result.problems) add(line, {problem, ""});
  std::string translation = result.best[0].text;
  if (!line.request.gaps.empty())  // which have nothing that was to be kept
    for (const TextRange& gap : split.text(line.request, 0).gaps)
      translation.replace(gap.begin, gap.end - gap.begin, gap.end - gap.begin, ' ');
  const std::vector<Requirement>& requirements = line.request.requirements;
  std::vector<std::string> terms, kept;
  for (const std::size_t w : result.unmet)
    if (!requirements[w].verbatim) terms.push_back(in_quotes(requirements[w].source));
  if (!terms.empty()) add(line, {kNoTerm, list_of(terms)});
  if (!requirements.empty())
    for (const std::size_t w : unmet(requirements, line.request.text, translation, keep))
      kept.push_back(in_quotes(requirements[w].source));
  if (!kept.empty()) add(line, {kNotKept, list_of(kept)});
  if (keep.placeholders) add_added(line, translation);
  if (!line.markup) add_tags(line, translation);
}

void add_unread(InputLine& line, std::span<const LoadedModel> models, const SplitLine& split,
                std::span<const std::int32_t> source, std::span<const Translation> written) {
  std::vector<Requirement> known = line.request.requirements;
  for (const TextRange& gap : line.request.gaps) known.push_back({"", {}, true, gap});
  if (line.markup)
    for (const TextRange& r : line.markup->untouched()) known.push_back({"", {}, true, r});
  for (const LineSentence& s : split.sentences)
    if (s.passes) known.push_back({"", {}, true, s.range});
  std::ranges::sort(known, {}, [](const Requirement& w) { return w.place.begin; });
  for (const LoadedModel& loaded : models) {
    const bool knows_all = &loaded == models.data() && !source.empty() &&
                           std::ranges::find(source, loaded.source.unk()) == source.end();
    add_unread(line, "", line.request.text, loaded.source, known, knows_all);
  }
  add_unread(line, "its prefix has ", line.request.prefix, models[0].target, {});
  add_unread(line, "the translation has ", line.request.target, models[0].target, {});
  add_unknown(line, written, models[0].target);
}

void add_unwatched(InputLine& line, const std::string& reason) { add(line, {reason, ""}); }

void DegradedLines::add(const InputLine& line, std::size_t number) {
  count_ += !line.problems.empty();
  for (const Problem& problem : line.problems)
    reasons_.add(problem.reason, number, text_of(problem));
}

}  // namespace tt
