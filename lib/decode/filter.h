// The filter behind tt-translate: lines in, lines out, and on request the attention of every sentence.
#pragma once

#include <cstdint>

#include "base/file.h"
#include "decode/translator.h"
#include "tensor/meter.h"

namespace tt {

struct FilterReport {
  explicit FilterReport(const Backend& backend) : meter(backend) {}
  std::uint64_t lines = 0, tokens = 0;  // lines read, target tokens written
  std::uint64_t degraded = 0;           // lines that were cut or not UTF-8; reported on stderr at the end
  Meter meter;                          // of all threads
};

// Which attention to write.
struct AttentionRequest {
  Output* to = nullptr;  // JSON lines, one per line of input; null: none
  bool self = false;     // also self-attention of encoder and decoder
};

// Translates every line of `in` to one line of `out`, in order, without delaying finished blocks. Invalid UTF-8 is read as
// U+FFFD. With attention only one thread is used, so that attention is in order too.
FilterReport translate_lines(LineReader& in, Output& out, const LoadedModel& loaded, const TranslateOptions& options,
                             const Backend& backend, int threads, const AttentionRequest& attention);

}  // namespace tt
