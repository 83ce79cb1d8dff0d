// Fuzz target: the sentences of any text stand in it in order, without white space at their ends,
// and there is nothing but white space between them.
//
//   make fuzz CXX=clang++
#include "text/sentences.h"

#include <string>

#include "base/error.h"
#include "base/utf8.h"

// The first byte chooses a language.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const tt::SentenceSplitter splitters[] = {
      tt::SentenceSplitter(),     tt::SentenceSplitter("en"), tt::SentenceSplitter("de"),
      tt::SentenceSplitter("ja"), tt::SentenceSplitter("th"), tt::SentenceSplitter("el"),
      tt::SentenceSplitter("hy")};
  if (size == 0) return 0;
  const tt::SentenceSplitter& splitter = splitters[bytes[0] % std::size(splitters)];
  const std::string text = tt::repair_utf8({reinterpret_cast<const char*>(bytes) + 1, size - 1});
  const auto blank = [&](std::size_t begin, std::size_t end) {
    return tt::words_of(std::string_view(text).substr(begin, end - begin)).empty();
  };
  std::size_t behind = 0;
  for (const tt::TextRange& r : splitter.split(text)) {
    TT_CHECK(r.begin >= behind && r.begin < r.end && r.end <= text.size());
    TT_CHECK(blank(behind, r.begin));
    const auto words = tt::words_of(std::string_view(text).substr(r.begin, r.end - r.begin));
    TT_CHECK(words.front().begin == 0 && words.back().end == r.end - r.begin);
    behind = r.end;
  }
  TT_CHECK(blank(behind, text.size()));
  splitter.obviously_several(text);
  return 0;
}
