#include "decode/problem.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/formatted.h"
#include "base/report.h"
#include "base/unicode.h"
#include "base/utf8.h"

namespace tt {
namespace {

enum class Shown { plain, quoted, characters };

// In the words # stands for the number, before a plural, and @ for the name.
struct Words {
  const char* text;
  Shown of = Shown::plain;  // how what it is in a line is shown
  const char* between = ", ";
};

Words words(Reason reason) {
  using enum Reason;
  using enum Shown;
  switch (reason) {
    case not_utf8: return {"not UTF-8; invalid bytes are read as U+FFFD"};
    case prefix_not_utf8: return {"its prefix is not UTF-8; invalid bytes are read as U+FFFD"};
    case target_not_utf8: return {"the translation is not UTF-8; invalid bytes are read as U+FFFD"};
    case not_an_object: return {"@"};
    case no_text: return {"a JSON object without \"text\", which must be a string"};
    case prefix_no_string: return {"its \"prefix\" is not a string"};
    case half_surrogate: return {"its @ has half of a surrogate pair, which is read as U+FFFD"};
    case too_few_columns: return {"fewer than # columns; left as it is"};
    case tag_not_closed: return {"a tag that is not closed"};
    case tag_not_opened: return {"a closing tag without its opening tag"};
    case tag_without_end: return {"a tag that does not end"};
    case tags_too_deep: return {"tags that are nested too deeply"};
    case several_accelerators: return {"the signs of several accelerators are translated as text"};
    case placeholder_in_word:
      return {"a placeholder inside of a word, whose parts are translated by themselves", quoted};
    case placeholder_with_text:
      return {"a placeholder with text inside, which is not translated", quoted};
    case placeholder_without_end:
      return {"a placeholder without its end, which is translated as text", quoted};
    case language_no_string: return {"its @ is not a string"};
    case language_no_string_needed: return {"its @ is not a string, and it is left as it is"};
    case source_not_chosen:
      return {"it names its language, which the model does not choose", quoted};
    case target_not_chosen:
      return {"it names a language to translate into, which the model does not choose", quoted};
    case source_missing: return {"it does not say in which language it is, and is left as it is"};
    case target_missing: return {"it names no language to translate into, and is left as it is"};
    case two_targets:
      return {"it names two languages to translate into, and is left as it is", quoted, " and "};
    case target_not_in_text:
      return {"it names no language to translate into, as @ at its beginning would"};
    case language_unknown: return {"its language is unknown, and it is left as it is"};
    case prefix_too_long: return {"its prefix is longer than the longest part; translated without"};
    case prefix_of_blank: return {"blank, so that its prefix is left out"};
    case too_short: return {"shorter than the minimum length, as the model can write no more"};
    case tags_reordered:
      return {"kept tags came in another order; they are put in that of the source"};
    case placeholders_reordered:
      return {"kept placeholders came in another order; they are put in that of the source"};
    case source_not_scored: return {"longer than # pieces; not scored"};
    case target_not_scored: return {"the translation is longer than # pieces; not scored"};
    case in_parts: return {"longer than # pieces; translated in parts"};
    case several_sentences: return {"several sentences, translated as one"};
    case no_term: return {"no translation of a glossary's term is in the translation", quoted};
    case not_kept: return {"a stretch that was to be kept is not in the translation", quoted};
    case placeholders_added:
      return {"the translation has placeholders that the source has not", quoted};
    case tags_lost: return {"markup is not in the translation"};
    case tags_not_nested: return {"markup is not nested in the translation as in the source"};
    case tags_emptied: return {"markup has no text between it in the translation"};
    case unknown_words: return {"# words that the model does not know", characters};
    case unknown_characters: return {"# characters that the model does not know", characters};
    case unread_characters: return {"# characters that the model does not read", characters};
    case unknown_words_in_prefix:
      return {"its prefix has # words that the model does not know", characters};
    case unknown_characters_in_prefix:
      return {"its prefix has # characters that the model does not know", characters};
    case unread_characters_in_prefix:
      return {"its prefix has # characters that the model does not read", characters};
    case unknown_words_in_target:
      return {"the translation has # words that the model does not know", characters};
    case unknown_characters_in_target:
      return {"the translation has # characters that the model does not know", characters};
    case unread_characters_in_target:
      return {"the translation has # characters that the model does not read", characters};
    case unknown_pieces: return {"# pieces <unk> in the translation"};
    case no_capitals: return {"a title whose words have no capitals in the translation"};
    case tags_unplaced: return {"markup whose place no word of the translation says"};
    case trace_of_untranslated: return {"a sentence is not translated, and so has no trace"};
    case trace_of_no_pieces: return {"a sentence has no pieces, and so no trace"};
    case trace_of_parts: return {"a sentence is translated in parts, of which there is no trace"};
    case trace_too_many: return {"no trace of a sentence, as a file has @"};
    case trace_summarised:
      return {"the trace of a sentence of over @ pieces has summaries of its matrices"};
  }
  TT_CHECK(false);
  return {""};
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
           (how.of == Shown::plain    ? once[i]
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
