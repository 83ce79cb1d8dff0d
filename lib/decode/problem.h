// Why a translation is not all that was asked for: what was dropped, replaced, unknown, reordered
// or guessed. A problem is a value; one table alone, that of text_of(), has words for it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace tt {

enum class Reason {
  // of a line as it came
  not_utf8,
  prefix_not_utf8,
  target_not_utf8,
  not_an_object,
  no_text,
  prefix_no_string,
  half_surrogate,
  too_few_columns,
  tag_not_closed,
  tag_not_opened,
  tag_without_end,
  tags_too_deep,
  several_accelerators,
  placeholder_in_word,
  placeholder_with_text,
  placeholder_without_end,
  language_no_string,
  language_no_string_needed,
  source_not_chosen,
  target_not_chosen,
  source_missing,
  target_missing,
  two_targets,
  target_not_in_text,
  language_unknown,
  // of a search
  prefix_too_long,
  prefix_of_blank,
  too_short,
  tags_reordered,
  placeholders_reordered,
  source_not_scored,
  target_not_scored,
  // of a translation
  in_parts,
  several_sentences,
  no_term,
  not_kept,
  placeholders_added,
  tags_lost,
  tags_not_nested,
  tags_emptied,
  unknown_words,
  unknown_characters,
  unread_characters,
  unknown_words_in_prefix,
  unknown_characters_in_prefix,
  unread_characters_in_prefix,
  unknown_words_in_target,
  unknown_characters_in_target,
  unread_characters_in_target,
  unknown_pieces,
  no_capitals,
  tags_unplaced,
  // of a trace
  trace_of_untranslated,
  trace_of_no_pieces,
  trace_of_parts,
  trace_too_many,
  trace_summarised,
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
