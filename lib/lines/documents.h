// Lines that follow each other in documents: models with a context read the sentences before each.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
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

  // Whether translations are context too, so that a line waits for that of the line before.
  bool reads_translations() const { return options_.history && !scores_; }

  using Translate = std::function<void(std::span<LineSentence* const>)>;
  struct Work {
    Translate translate;  // sentences that do not need each other
    // Calls each(part, translate) for each of several parts, which need not wait for each other.
    std::size_t threads = 1;
    std::function<void(std::size_t parts,
                       const std::function<void(std::size_t part, const Translate&)>& each)>
        apart;
    std::function<void(const std::function<void()>&)> in_turn;  // what needs the lines before
  };
  // Has the sentences of lines translated, each with its context.
  void translate(std::span<LineText* const> lines, const Work& work);

 private:
  using Contexts = std::vector<Context>;  // of each model
  using Pieces = std::vector<std::int32_t>;
  struct Sentence {
    LineText* line;
    LineSentence* sentence;
    std::vector<Pieces> source, target;  // by model; the latter of translations that are given
  };
  struct Queue {
    Contexts contexts;
    std::vector<Sentence> sentences;
  };
  Contexts none() const;
  void follow_each_other(std::span<Queue> documents, const Translate& translate) const;
  Sentence read(LineText& line, LineSentence& sentence) const;
  void begin(Contexts& contexts, const Sentence& of) const;
  void follow(Queue& queue, std::size_t i, const std::string& translation) const;
  std::vector<Queue> queues(std::span<LineText* const> lines, std::vector<Sentence>&& sentences);

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
