// Fuzz target: links of any line are of words that are there, in order, each once.
//
//   make fuzz CXX=clang++
#include "text/links.h"

#include <algorithm>

#include "base/error.h"

// The first two bytes are the numbers of words.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view line(reinterpret_cast<const char*>(bytes) + 2, size - 2);
  std::string bad, none;
  const auto links = tt::read_links(line, bytes[0], bytes[1], bad);
  TT_CHECK(std::ranges::adjacent_find(links, std::greater_equal<>()) == links.end());
  std::string text;
  for (const tt::TokenLink& link : links) {
    TT_CHECK(link.source >= 0 && link.source < bytes[0]);
    TT_CHECK(link.target >= 0 && link.target < bytes[1]);
    text += std::to_string(link.source) + "-" + std::to_string(link.target) + " ";
  }
  TT_CHECK(bad.empty() || line.find(bad) != line.npos);
  TT_CHECK(tt::read_links(text, bytes[0], bytes[1], none) == links && none.empty());
  return 0;
}
