// Sentences as search translates them, one after the other into a file of traces.
#pragma once

#include <cstdint>
#include <span>

#include "decode/loaded_model.h"
#include "lines/line_text.h"
#include "lines/loaded_translator.h"
#include "trace/beam.h"
#include "trace/trace.h"

namespace tt {

class Tracer {
 public:
  // Models and backend must outlive it. `options` are those of the translation.
  Tracer(std::span<const LoadedModel> model, const Backend& backend, TranslateOptions options,
         Output& to);

  // Writes the trace of a sentence that was translated, or whose translation was `scored`, with the
  // number of its line. Returns what it has not of it, if anything.
  std::optional<Problem> add(const LineSentence& sentence, bool scored, std::uint64_t line);

 private:
  static constexpr std::size_t kMost = 16;  // sentences

  const LoadedModel& loaded_;
  const Backend& backend_;
  BeamRecord beam_;
  LoadedTranslator translator_;
  Output& to_;
  std::size_t count_ = 0;
};

}  // namespace tt
