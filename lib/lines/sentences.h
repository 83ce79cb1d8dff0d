// Lines as the sentences that are translated by themselves, and back.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lines/line_text.h"

namespace tt {

// A translation of a line, and where those of its sentences, and what is not translated, are in it.
struct JoinedText {
  std::string text;
  std::vector<TextRange> sentences, untranslated;

  std::vector<TextRange> words() const;  // of its sentences, as alignments have them
};

// The text of the b-th translations: with the white space between sentences that was there, or what
// was not translated; of white space around a line only that with an LF or such a stretch stays.
JoinedText joined_text(const LineText& line, std::size_t b);

// The results of the sentences as that of the line, the best with the best, and so on. It lacks
// `replaced`, which means nothing in a text of several sentences.
Translated joined(const LineText& line);

// The ranges of a translation that stand there byte for byte.
std::vector<TextRange> verbatim_in(const Translation& translation);

}  // namespace tt
