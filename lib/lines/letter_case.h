// Sentences in capitals, and in Title Case, which models hardly saw: they are read in small
// letters, and their translations have the case of their words again.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "decode/align.h"
#include "text/subword.h"
#include "text/words.h"

namespace tt {

enum class LetterCase {
  as_it_is,
  capitals,  // no small letters, and a word of at least two capitals
  title  // at least four words, of which all of more than three letters begin with a capital, as
         // do three behind the first
};
LetterCase letter_case(std::string_view sentence);

// The sentence in small letters, with its first letter as it was if `capital`; not in the ranges
// `but`, which are in order. A letter whose small one has another size in bytes stays.
std::string in_small_letters(std::string_view sentence, std::span<const TextRange> but,
                             bool capital);

// A translation in capitals, or with a capital at the beginning of the first word and of those that
// come from words with one, whose `source` the sentence was before. What is in the ranges `but`,
// which are in order, stays. Titles need an alignment; without, only the first word has its
// capital.
std::string with_case(std::string_view translation, LetterCase kind, std::string_view source,
                      const SoftAlignment& alignment, std::span<const TextRange> but);

}  // namespace tt
