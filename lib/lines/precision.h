// The change that 8-bit weights make to the translations of a text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "lines/filter.h"

namespace tt {

struct PrecisionComparison {
  std::uint64_t lines = 0, same = 0;  // of the text; translated identically
  std::uint64_t degraded = 0;         // lines with problems in either; reported on stderr
  double float32_bleu = 0, int8_bleu = 0,
         between_bleu = 0;  // against the reference; of 8 bits against float32
};

// Translates the lines of `in` with two forms of the same models, and compares the translations
// with each other and with the lines of the file `reference`. BLEU tokenises as the first model's
// validation did. Throws Error if a file cannot be read, there are no lines, the reference has more
// or fewer, or a model that should be float32 is stored in 8 bits.
PrecisionComparison compare_precisions(std::span<const LoadedModel> float32,
                                       std::span<const LoadedModel> int8, LineSource& in,
                                       const std::string& reference, const Backend& backend,
                                       const FilterOptions& options);

}  // namespace tt
