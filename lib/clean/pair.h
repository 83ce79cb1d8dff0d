// A pair of lines, with what most rules ask of it, found in one pass over each side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tt::clean {

struct Side {
  std::string_view text;  // without the white space around it
  // Visible characters that are not white space. Those of scripts without spaces count three times,
  // since that many letters of others say about as much; full-width forms of ASCII do not.
  std::size_t length = 0;
  // Hashes of its words that have letters or numbers, case folded; a character of a script without
  // spaces is a word, with marks and signs of length behind it. A number is one word.
  std::vector<std::uint64_t> words;
  // A hash of its letters, numbers and symbols, case folded and normalised, with the signs and
  // separators of its numbers: the same for lines that differ in case, other punctuation, white
  // space and what nobody sees. That of the text if it has none of these.
  std::uint64_t key = 0;
  std::size_t lone = 0, longest = 0;       // words of one character; characters of the longest
  std::size_t inner_capitals = 0;          // behind letters that are none
  unsigned looks = 0;                      // all Character::look of it
  bool stray = false;                      // has characters that are is_stray()
  bool digits = false;                     // has some, of any script
  bool ascii = true;                       // has nothing but ASCII
  std::array<std::uint64_t, 2> seen = {};  // which characters of ASCII

  bool has(char c) const {
    const auto i = static_cast<unsigned char>(c);
    return i < 128 && (seen[i / 64] >> (i % 64) & 1) != 0;
  }
  bool may_have_placeholders() const { return has('%') || has('{') || has('$') || has('\\'); }
};

struct Pair {
  Side source, target;
};

// Makes `side` that of a line. Requires UTF-8, which must outlive it.
void read_side(std::string_view line, Side& side);

// A well-mixed hash of a text and of a hash before it.
std::uint64_t hash(std::string_view text, std::uint64_t before = 0);
std::uint64_t hash(std::uint64_t one, std::uint64_t other);

}  // namespace tt::clean
