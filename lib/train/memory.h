// How much memory a run will take, found before it begins: a few shards and the longest development
// sentences are run on a backend that computes nothing (tensor/dry.h), and what they ask for is
// counted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/config.h"
#include "text/corpus.h"
#include "text/subword.h"

namespace tt {

// Conditions of a run's memory beside its settings.
struct MemoryInputs {
  const ParallelCorpus& corpus;
  const DevelopmentSet* development;  // null: none
  const SubwordPair& subwords;
  int threads, ranks;
  Traits traits = {};  // of the backend
};

// The most bytes that this process will have, with what it has now; rather more than it will than
// less. Requires check_config() and both vocabulary sizes. It takes some hundredths of a second,
// and longer with a development set.
std::size_t memory_needed(const Config& config, const MemoryInputs& inputs);

// The largest config.tokens with which that is at most `bytes`, in two digits, and no more than the
// corpus has. Throws Error if none is small enough.
std::int64_t most_tokens(const Config& config, const MemoryInputs& inputs, std::size_t bytes);

}  // namespace tt
