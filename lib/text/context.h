// The sentences before one in its document, for models that read them with it.
//
// They stand before a source, and their translations before its translation, each with a separator
// behind it, so that a Transformer needs nothing else (Tiedemann and Scherrer 2017, "Neural Machine
// Translation with Extended Context"; Post and Junczys-Dowmunt 2023, arXiv 2304.12959).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "text/languages.h"
#include "text/subword.h"

namespace tt {

inline constexpr std::string_view kSeparator = "<sep>";

// The piece between sentences: "<sep>", where a vocabulary has it as a piece that no text has, and
// else <s>.
std::int32_t separator(const Subword& subword);

struct ContextOptions {
  std::int64_t sentences = 0;  // at most; 0: there is no context
  bool history = true;         // also their translations
  std::int64_t longest = 256;  // pieces of a side, with the sentence's own and its </s>
};

// The context of the next sentence of a stream of documents.
class Context {
 public:
  Context(const ContextOptions& options, const Subword& source, const Subword& target);

  // The next sentence is the first of a document.
  void clear() { sentences_.clear(); }
  // Puts around a sentence, which has pieces around it already, as many of the sentences before it
  // as fit, the last ones. `source` and `target`: pieces of its own, with </s>.
  void put_around(LanguagePieces& pieces, std::size_t source, std::size_t target) const;
  // Adds a sentence, whose pieces are without </s>.
  void add(std::span<const std::int32_t> source, std::span<const std::int32_t> target);

 private:
  struct Sentence {
    std::vector<std::int32_t> source, target;  // each with a separator behind it
  };
  ContextOptions options_;
  std::int32_t source_separator_, target_separator_;
  std::deque<Sentence> sentences_;  // the last ones
};

}  // namespace tt
