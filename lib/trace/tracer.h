// Sentences as a model computes them, and as its search translates them, one after the other into a
// file of traces.
#pragma once

#include <cstdint>
#include <span>

#include "decode/loaded_model.h"
#include "lines/line_text.h"
#include "lines/loaded_translator.h"
#include "trace/beam.h"
#include "trace/trace.h"

namespace tt {

// Reads a source and the target that follows it once, and sets the trace's matrices and what is
// likeliest of its target. The first input of the decoder is `bos`. Throws Error if a side is
// longer than the model has positions for.
void read_once(const Model& model, const Backend& backend, std::span<const std::int32_t> source,
               std::span<const std::int32_t> target, std::int32_t bos, const Subword* pieces,
               Trace& trace);

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
