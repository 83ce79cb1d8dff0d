// Fuzz target: any line has the same tags in any translation, each as often.
//
//   make fuzz CXX=clang++
#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/utf8.h"
#include "lines/line_text.h"
#include "lines/markup_line.h"

namespace {

std::vector<std::string> tags(std::string_view line, tt::MarkupKind kind) {
  std::vector<std::string> all;
  tt::markup::Tokens tokens(
      line, kind == tt::MarkupKind::html ? tt::markup::Syntax::html : tt::markup::Syntax::xml, 0,
      line.size(), tt::markup::Tokens::Of::line);
  for (tt::markup::Token token; tokens.next(token);)
    if (token.kind != tt::markup::Token::Kind::text) all.emplace_back(token.in(line));
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

// The first byte says which markup it is, and how words are linked.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0 || size > 4096) return 0;
  const auto kind = bytes[0] & 1 ? tt::MarkupKind::html : tt::MarkupKind::xml;
  const std::string line = tt::repair_utf8({reinterpret_cast<const char*>(bytes) + 1, size - 1});
  const tt::MarkupLine markup(line, kind);
  tt::LineText text;
  text.text = markup.text();
  text.untranslated = markup.untranslated();
  const auto words = tt::translated_words(text);
  tt::SoftAlignment alignment(words.size(), std::vector<float>(words.size()));
  for (std::size_t w = 0; w < words.size(); ++w)
    alignment[w][(w * (1 + (bytes[0] >> 2) % 8) + bytes[0] / 32) % words.size()] = 1;
  const tt::MarkedTranslation same{markup.text(), markup.untranslated(), words, words,
                                   bytes[0] & 2 ? &alignment : nullptr};
  std::vector<std::string> unplaced;
  TT_CHECK(tags(markup.put_back(same, unplaced), kind) == tags(line, kind));
  return 0;
}
