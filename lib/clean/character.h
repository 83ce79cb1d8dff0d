// A character as rules read it: what it does to words, to the length of a text, and to its key.
#pragma once

#include <cstdint>
#include <vector>

namespace tt::clean {

enum class Kind : std::uint8_t {
  plain,      // stands in a word with what is beside it
  unspaced,   // is a word of its own, as Chinese characters and kana
  extending,  // goes on with the character before it, as combining marks and U+30FC
  several,    // is read as the characters of its case folding, as U+00DF as "ss"
  space,
  ignorable,
  stray
};

struct Character {
  Kind kind;
  std::uint8_t length;  // as Side::length counts it
  bool in_words;        // makes a word of what it stands in: letters, marks and numbers
  bool in_key;          // these, symbols, and signs that are read as words, as %
  bool digit;
  bool capital;
  std::uint8_t look;    // 1: Latin; 2: Greek that looks like it; 4: Cyrillic; 0: others
  char32_t folded;      // its case folding, decomposed, without marks; several: itself
  std::uint64_t marks;  // a sum of hashes of its combining marks, whose order does not matter
};

Character character_of(char32_t c);
// Those of U+0000 to U+FFFF: asking ICU for each character takes longer than all the rest.
const std::vector<Character>& basic_characters();

// The last steps of MurmurHash3.
constexpr std::uint64_t mixed(std::uint64_t h) {
  h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD;
  h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53;
  return h ^ h >> 33;
}

}  // namespace tt::clean
