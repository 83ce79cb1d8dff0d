// A sentence as a model computes it.
#pragma once

#include <cstdint>
#include <span>

#include "model/model.h"
#include "text/subword.h"
#include "trace/trace.h"

namespace tt {

// Reads a source and the target that follows it once, and sets the trace's matrices and what is
// likeliest of its target. The first input of the decoder is `bos`. Throws Error if a side is
// longer than the model has positions for.
void read_once(const Model& model, const Backend& backend, std::span<const std::int32_t> source,
               std::span<const std::int32_t> target, std::int32_t bos, const Subword* pieces,
               Trace& trace);

// Sets the pieces of a trace, which has its settings.
void take_pieces(const Subword& source_pieces, std::span<const std::int32_t> source,
                 const Subword& target_pieces, std::span<const std::int32_t> target, Trace& trace);

}  // namespace tt
