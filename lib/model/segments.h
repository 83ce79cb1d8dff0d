// Which rows attend to which, for packed rows.
#pragma once

#include <span>
#include <vector>

#include "nn/ops.h"
#include "text/batch.h"

namespace tt {

// The queries of each sentence see the keys of the same sentence; window: see Segments.
Segments pair_up(Tape& tape, const Sequences& queries, const Sequences& keys,
                 std::int64_t window = 0);

// The hypotheses of a sentence, which are adjacent, see its source: row r belongs to sentence
// sentences[r]. `segments` holds the result, and must not change until the tape is cleared or the
// next call.
Segments see_sources(Tape& tape, std::span<const std::int32_t> sentences, const Sequences& source,
                     std::vector<Segment>& segments);

}  // namespace tt
