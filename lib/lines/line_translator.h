// Loaded models behind the pipeline of lines.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/line_source.h"
#include "base/reasons.h"
#include "lines/documents.h"
#include "lines/flaws.h"
#include "lines/loaded_translator.h"
#include "lines/pipeline.h"

namespace tt {

class LineTranslator {
 public:
  // Its arguments must outlive it; `whole` lines are scored and not translated.
  LineTranslator(std::span<const LoadedModel> models, const Backend& backend,
                 const LineOptions& input, const TranslateOptions& options,
                 const AlignmentOptions& alignment, int threads);

  // Whether a line is translated with those before it, or also with their translations.
  bool reads_context() const { return documents_.has_value(); }
  bool reads_translations() const { return documents_ && documents_->reads_translations(); }
  // Lines, of which the first has the number `first`, translated with the tapes of a thread, or
  // those of `runner`. All translations are written if it is a `list`, and the best if not. Threads
  // may call it at once, and `in_turn` orders what reads the lines before.
  using InTurn = std::function<void(const std::function<void()>&)>;
  std::vector<Line> run(
      std::span<const std::string> lines, std::uint64_t first, bool list,
      std::span<Tape* const> tapes, const BatchRunner* runner = nullptr,
      const InTurn& in_turn = [](const auto& step) { step(); });

  LoadedTranslator& translator() { return translator_; }

 private:
  void search_again(std::span<const Request> requests, std::vector<Translated>& found,
                    std::span<Tape* const> tapes) const;

  bool scores_, aligned_;
  LoadedTranslator translator_;
  std::optional<Flaws> flaws_;
  std::optional<Translator> again_;  // for sentences whose translations have flaws
  std::optional<Aligner> aligner_;
  std::optional<Documents> documents_;
  Pipeline pipeline_;
};

// Says which lines were degraded when it goes out of scope, as Reasons does.
class DegradedLines {
 public:
  explicit DegradedLines(const LineSource& in)
      : reasons_([&in](std::size_t line) { return in.where(line); }) {}

  // Line `number`, from 1, in any order.
  void add(const Problems& problems, std::size_t number);

  std::uint64_t count() const { return count_; }  // lines with problems

 private:
  Reasons reasons_;
  std::uint64_t count_ = 0;
};

}  // namespace tt
