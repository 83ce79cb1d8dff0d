// Words, for alignments, glossaries and what is kept.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace tt {

// A stretch of a text, in bytes.
struct TextRange {
  std::size_t begin, end;

  std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
};

// The words of a text: what stands between white space, where each character that is_unspaced() is
// a word of its own.
std::vector<TextRange> words_of(std::string_view text);

// The words [begin, end) that each range of a text has a part in, as words_of() the text are:
// several where a piece is longer than a word, none where it is a space.
struct WordRange {
  std::size_t begin = 0, end = 0;
};
std::vector<WordRange> words_behind(std::span<const TextRange> ranges,
                                    std::span<const TextRange> words);

// The character that ends before byte `at`, and the one that begins there, of those that are
// visible; 0 where there is none.
char32_t character_before(std::string_view text, std::size_t at);
char32_t character_at(std::string_view text, std::size_t at);

// Whether a word may go on from one character to the next: both are is_wordlike(), and none
// is_unspaced().
bool word_goes_on(char32_t before, char32_t next);
// From the character before byte `at` of a text to the one behind.
bool word_goes_on(std::string_view text, std::size_t at);

}  // namespace tt
