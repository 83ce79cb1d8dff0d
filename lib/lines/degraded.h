// Lines whose translation is not all that was asked for: which they are, and why.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/line_source.h"
#include "base/reasons.h"
#include "decode/loaded_model.h"
#include "lines/line_sentences.h"
#include "lines/request.h"

namespace tt {

// Adds to the problems of a line those of its translation: longer than `longest` pieces and cut
// into parts, what its instructions asked for and the best translation lacks, markup that it lacks
// or has in an order that makes no sense, and what the search says; each reason once.
void add_problems(InputLine& line, const SplitLine& split, const Translated& result,
                  std::int64_t longest, const Keep& keep);

// Adds tags that stand where they could, and not where the words that they enclosed went.
void add_unplaced(InputLine& line, const std::vector<std::string>& tags);

// Adds that a title has no alignment, by which its translation would have capitals.
void add_uncased(InputLine& line);

// Adds which characters the models do not know or do not read, of the source outside of what is
// kept, a term, or passes, and of what the line gives as a prefix or as a translation; and how many
// unknown pieces there are in one of the translations that are written. `source`: the pieces that
// the first model has read, empty where there are none.
void add_unread(InputLine& line, std::span<const LoadedModel> models, const SplitLine& split,
                std::span<const std::int32_t> source, std::span<const Translation> written);

// Adds why what watches has not all of a sentence.
void add_unwatched(InputLine& line, const std::string& reason);

// Says which lines were degraded when it goes out of scope, as Reasons does.
class DegradedLines {
 public:
  explicit DegradedLines(const LineSource& in)
      : reasons_([&in](std::size_t line) { return in.where(line); }) {}

  // Line `number`, from 1, in any order.
  void add(const InputLine& line, std::size_t number);

  std::uint64_t count() const { return count_; }  // lines with problems

 private:
  Reasons reasons_;
  std::uint64_t count_ = 0;
};

}  // namespace tt
