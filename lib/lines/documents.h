// Lines that follow each other in documents: models with a context read the sentences before each.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "decode/loaded_model.h"
#include "lines/languages.h"
#include "lines/line_text.h"
#include "text/context.h"

namespace tt {

// A stream of lines. A line without text ends a document, and so does one of another name.
//
// Invariant: what a sentence is translated with depends on the sentences before it in its document,
// at most so many, and on their translations, as models wrote them or as they are given; not on how
// lines come in blocks.
class Documents {
 public:
  // At most so many sentences of context. All must outlive it. Throws Error if the models read
  // fewer, or do not read the same sides.
  Documents(std::span<const LoadedModel> models, const LineLanguages& languages, int sentences,
            bool scores);

  // Has the sentences of lines translated, each with its context; `translate` gets some of them at
  // a time, which do not need each other.
  void translate(std::span<LineText* const> lines,
                 const std::function<void(std::span<LineSentence* const>)>& translate);

 private:
  using Contexts = std::vector<Context>;  // of each model
  struct Queue {
    Contexts contexts;
    std::vector<std::pair<LineText*, LineSentence*>> sentences;
  };
  Contexts none() const;
  void begin(const Contexts& contexts, const LineText& line, LineSentence& sentence) const;
  void add(Contexts& contexts, const std::string& source, const std::string& target) const;

  std::span<const LoadedModel> models_;
  const LineLanguages& languages_;
  ContextOptions options_;
  bool scores_;
  std::string name_;  // of the document at hand
  Contexts contexts_;
};

// The sentences of context that models read, which are to be `asked` for where they differ. Throws
// Error if that is more than one of them reads.
int context_of(std::span<const LoadedModel> models, std::optional<int> asked);

}  // namespace tt
