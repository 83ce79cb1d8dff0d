// The walk of lines: through all transforms, to a translator, and back.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lines/transforms.h"

namespace tt {

// A line that has come back.
struct Line {
  std::string raw;  // as it came, without what stands behind an LF, its UTF-8 repaired
  LineText text;
  LineTranslation found;
  std::vector<Undo> undos;  // in the order of the walk

  // The line around an answer (Undo::answer).
  std::string answer(std::string found) const;
};

// The translations that are asked for.
struct Wanted {
  std::size_t translations = 1;  // of each sentence
  bool list = false;             // all are written, not the best alone
  bool aligned = false;          // all that are written are aligned, not only those that need it
};

class Pipeline {
 public:
  Pipeline(const LineOptions& options, const LineModels& models);

  struct Link {
    const Request* source;
    const Translation* translation;
  };
  using Translate = std::function<std::vector<Translated>(std::span<const Request>)>;
  using Align = std::function<std::vector<SoftAlignment>(std::span<const Link>)>;
  // Has the sentences of lines translated by one function or another, some at a time; null: all
  // together.
  using Some = std::function<void(std::span<LineSentence* const>, const Translate&)>;
  using Order = std::function<void(std::span<LineText* const>, const Some&)>;

  // Lines, of which the first has the number `first`, and their translations with all that was
  // taken out of them put back. `translate` gets the sentences of all, and `align` those whose
  // translations are to be aligned, if there are any.
  std::vector<Line> run(std::span<const std::string> lines, std::uint64_t first,
                        const Wanted& wanted, const Translate& translate, const Align& align,
                        const Order& order = nullptr) const;

  // A line on its way to the translator.
  Line read(const std::string& line, std::uint64_t number) const;

 private:
  std::vector<Transform> transforms_;
};

}  // namespace tt
