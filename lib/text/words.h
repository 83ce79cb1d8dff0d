// Words, for alignments and glossaries.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tt {

// A stretch of a text, in bytes.
struct TextRange {
  std::size_t begin, end;
};

// Whether a character is written without spaces around its words: Chinese characters, kana, and the punctuation between them.
bool is_unspaced(char32_t code_point);

// The words of a text: what stands between white space, where each character that is_unspaced() is a word of its own.
std::vector<TextRange> words_of(std::string_view text);

}  // namespace tt
