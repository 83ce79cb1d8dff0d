// Words that tell whether a full stop ends a sentence: data, a row for each language and kind.
#pragma once

#include <set>
#include <string_view>

namespace tt {

// All in small letters; abbreviations without their last full stop.
struct SentenceWords {
  using Set = std::set<std::string_view>;
  Set within;          // abbreviations behind which a sentence goes on, as "Dr."
  Set either;          // abbreviations behind which it ends if a starter follows, as "Jr."
  Set before_numbers;  // abbreviations behind which it goes on if a number follows, as "fig."
  Set starters;        // words with which sentences begin and names do not, as "the"
};

// Of a language by its code of two letters, with those that hold for all languages.
SentenceWords sentence_words(std::string_view language);

}  // namespace tt
