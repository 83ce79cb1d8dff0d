// Which rows attend to which, for models whose rows are packed.
#pragma once

#include <span>
#include <vector>

#include "nn/ops.h"
#include "text/batch.h"

namespace tt {

// Sentence b's queries see sentence b's keys.
Segments pair_up(Tape& tape, const Side& queries, const Side& keys);

// The hypotheses of a sentence, which stand together, see its source: row r is one of sentence sentences[r]. `segments` holds what is
// returned until the tape is cleared or the next call.
Segments see_sources(Tape& tape, std::span<const std::int32_t> sentences, const Side& source, std::vector<Segment>& segments);

}  // namespace tt
