// Fuzz target: a sentence in small letters has the words that it had, and none is another where it
// stays as it is; its case can be put on any text.
//
//   make fuzz CXX=clang++
#include "lines/letter_case.h"

#include <string>

#include "base/error.h"
#include "base/utf8.h"

// The first byte says what stays as it is, and how words are linked.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0 || size > 4096) return 0;
  const std::string line = tt::repair_utf8({reinterpret_cast<const char*>(bytes) + 1, size - 1});
  const auto words = tt::words_of(line);
  std::vector<tt::TextRange> but;
  for (std::size_t w = 0; w < words.size(); ++w)
    if (bytes[0] & 1 && w % 3 == 0) but.push_back(words[w]);
  const std::string small = tt::in_small_letters(line, but, bytes[0] & 2);
  TT_CHECK(small.size() == line.size());
  for (const tt::TextRange& r : but)
    TT_CHECK(small.compare(r.begin, r.end - r.begin, line, r.begin, r.end - r.begin) == 0);
  TT_CHECK(tt::words_of(small).size() == words.size());
  tt::SoftAlignment alignment(words.size(), std::vector<float>(words.size()));
  for (std::size_t w = 0; w < words.size(); ++w)
    alignment[w][(w * (1 + (bytes[0] >> 2) % 8)) % words.size()] = 1;
  for (const auto kind : {tt::LetterCase::capitals, tt::LetterCase::title}) {
    const std::string with = tt::with_case(small, kind, line, alignment, but);
    TT_CHECK(tt::words_of(with).size() == words.size());
    tt::with_case(small, kind, line, {}, but);
  }
  tt::letter_case(line);
  return 0;
}
