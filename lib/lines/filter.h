// The filter behind tt-translate: lines in, lines out, and on request the attention of every
// sentence.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/file.h"
#include "lines/line_translator.h"
#include "lines/reply.h"
#include "tensor/meter.h"

namespace tt {

struct FilterReport {
  explicit FilterReport(const Backend& backend) : meter(backend) {}
  std::uint64_t lines = 0, tokens = 0;  // lines read, target tokens written
  std::uint64_t degraded = 0;           // lines with problems; reported on stderr at the end
  std::uint64_t remembered = 0;         // lines whose translation was in a memory
  Meter meter;                          // of all threads
};

// Which attention to write.
struct AttentionRequest {
  Output* to = nullptr;  // JSON lines, one per line of input; null: none
  bool self = false;     // also self-attention of encoder and decoder
};

struct FilterOptions {
  TranslateOptions translate;
  LineOptions input;
  std::uint64_t first_line = 1;  // the number of the first, where it is a part of a text
  OutputOptions output;
  AttentionRequest attention;  // of the first model
  // Is given every sentence, with its result and the number of its line, in order; one thread then
  // works. Returns what it has not of it, if anything.
  std::function<std::optional<Problem>(const LineSentence&, std::uint64_t line)> watch;
  int threads = 1;
};

// Answers every line of `in` on `out`, in order, each block as soon as its turn comes. Several
// models translate together; they must have the same target vocabulary. With attention one thread
// works, so that its lines are in order too.
FilterReport translate_lines(LineSource& in, Output& out, std::span<const LoadedModel> models,
                             const Backend& backend, const FilterOptions& options);

}  // namespace tt
