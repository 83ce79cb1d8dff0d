// Why a translation is not all that was asked for: what was dropped, replaced, unknown, reordered
// or guessed. A problem is a value; one table alone, that of text_of(), has words for it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace tt {

// The reasons, in the words of messages: # stands for a number, before a plural, and @ for a name.
// The third of a row says how what it is in a line is listed.
#define TT_REASONS(X) \
  /* of a line as it came */ \
  X(not_utf8, "not UTF-8; invalid bytes are read as U+FFFD") \
  X(prefix_not_utf8, "its prefix is not UTF-8; invalid bytes are read as U+FFFD") \
  X(target_not_utf8, "the translation is not UTF-8; invalid bytes are read as U+FFFD") \
  X(not_an_object, "@") \
  X(no_text, "a JSON object without \"text\", which must be a string") \
  X(prefix_no_string, "its \"prefix\" is not a string") \
  X(no_context, "its \"context\" is no list of objects with \"source\" and \"translation\"") \
  X(context_not_read, "its \"context\" is not read, as the model was trained without") \
  X(half_surrogate, "its @ has half of a surrogate pair, which is read as U+FFFD") \
  X(several_in_memory, "the memory has several translations of it, of which the last is taken") \
  X(too_few_columns, "fewer than # columns; left as it is") \
  X(tag_not_closed, "a tag that is not closed") \
  X(tag_not_opened, "a closing tag without its opening tag") \
  X(tag_without_end, "a tag that does not end") \
  X(tags_too_deep, "tags that are nested too deeply") \
  X(several_accelerators, "the signs of several accelerators are translated as text") \
  X(placeholder_in_word, \
    "a placeholder inside of a word, whose parts are translated by themselves", quoted) \
  X(placeholder_with_text, "a placeholder with text inside, which is not translated", quoted) \
  X(placeholder_without_end, "a placeholder without its end, which is translated as text", quoted) \
  X(language_no_string, "its @ is not a string") \
  X(language_no_string_needed, "its @ is not a string, and it is left as it is") \
  X(source_not_chosen, "it names its language, which the model does not choose", quoted) \
  X(target_not_chosen, "it names a language to translate into, which the model does not choose", \
    quoted) \
  X(source_missing, "it does not say in which language it is, and is left as it is") \
  X(target_missing, "it names no language to translate into, and is left as it is") \
  X(two_targets, "it names two languages to translate into, and is left as it is", quoted, \
    " and ") \
  X(target_not_in_text, "it names no language to translate into, as @ at its beginning would") \
  X(language_unknown, "its language is unknown, and it is left as it is") \
  /* of a search */ \
  X(prefix_too_long, "its prefix is longer than the longest part; translated without") \
  X(prefix_of_blank, "blank, so that its prefix is left out") \
  X(too_short, "shorter than the minimum length, as the model can write no more") \
  X(tags_reordered, "kept tags came in another order; they are put in that of the source") \
  X(placeholders_reordered, \
    "kept placeholders came in another order; they are put in that of the source") \
  X(source_not_scored, "longer than # pieces; not scored") \
  X(target_not_scored, "the translation is longer than # pieces; not scored") \
  /* of a translation */ \
  X(in_parts, "longer than # pieces; translated in parts") \
  X(several_sentences, "several sentences, translated as one") \
  X(no_term, "no translation of a glossary's term is in the translation", quoted) \
  X(not_kept, "a stretch that was to be kept is not in the translation", quoted) \
  X(placeholders_added, "the translation has placeholders that the source has not", quoted) \
  X(tags_lost, "markup is not in the translation") \
  X(tags_not_nested, "markup is not nested in the translation as in the source") \
  X(tags_emptied, "markup has no text between it in the translation") \
  X(unknown_words, "# words that the model does not know", characters) \
  X(unknown_characters, "# characters that the model does not know", characters) \
  X(unread_characters, "# characters that the model does not read", characters) \
  X(unknown_words_in_prefix, "its prefix has # words that the model does not know", characters) \
  X(unknown_characters_in_prefix, "its prefix has # characters that the model does not know", \
    characters) \
  X(unread_characters_in_prefix, "its prefix has # characters that the model does not read", \
    characters) \
  X(unknown_words_in_target, "the translation has # words that the model does not know", \
    characters) \
  X(unknown_characters_in_target, "the translation has # characters that the model does not know", \
    characters) \
  X(unread_characters_in_target, "the translation has # characters that the model does not read", \
    characters) \
  X(loop, "the translation repeats itself") \
  X(copy, "the translation is the source") \
  X(other_script, "the translation is in another script than the model's text") \
  X(odd_length, "the translation is far longer or shorter than its source") \
  X(other_numbers, "the translation has other numbers than the source") \
  X(searched_again, "a translation had a flaw, and is of a wider search that repeats nothing") \
  X(unknown_pieces, "# pieces <unk> in the translation") \
  X(no_capitals, "a title whose words have no capitals in the translation") \
  X(tags_unplaced, "markup whose place no word of the translation says") \
  /* of a trace */ \
  X(trace_of_untranslated, "a sentence is not translated, and so has no trace") \
  X(trace_of_no_pieces, "a sentence has no pieces, and so no trace") \
  X(trace_of_parts, "a sentence is translated in parts, of which there is no trace") \
  X(trace_too_many, "no trace of a sentence, as a file has @") \
  X(trace_summarised, "the trace of a sentence of over @ pieces has summaries of its matrices")
enum class Reason {
#define X(reason, ...) reason,
  TT_REASONS(X)
#undef X
};

struct Problem {
  Reason reason;
  std::vector<std::string> of = {};  // what it is in this line; each once, with how often
  std::uint64_t number = 0;          // in the words of its reason, as is
  std::string name = {};             // this: two problems with different names have two reasons

  bool operator==(const Problem&) const = default;
};

// "2 characters that the model does not read: U+0001 (2 times)"
std::string text_of(const Problem& problem);
// Its words without number and line: "# characters that the model does not read".
std::string reason_of(const Problem& problem);

// The problems of a line, in the order in which they were found; of each reason, and name, the
// first alone.
class Problems {
 public:
  void add(Problem problem);
  void add(const std::vector<Problem>& problems);
  bool has(std::initializer_list<Reason> any) const;
  bool empty() const { return all_.empty(); }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  const std::vector<Problem>& all() const { return all_; }

 private:
  std::vector<Problem> all_;
};

}  // namespace tt
