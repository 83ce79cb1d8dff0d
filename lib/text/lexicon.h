// Which target pieces are likely translations of each source piece.
//
// IBM Model 1 (Brown et al. 1993, section 4): every target piece t of a pair comes from one of the
// source pieces s, or from none, each as likely as the others. p(t | s) starts equal for all, and
// expectation maximisation raises the likelihood of the corpus with each iteration.
#pragma once

#include <cstdint>
#include <vector>

#include "text/corpus.h"

namespace tt {

struct LexiconOptions {
  int iterations = 5;
  int best = 100;  // translations that are kept of each source piece
};

// For each of `source_pieces` the target pieces with the largest p(t | s), in ascending order.
// Takes 16 to 43 bytes for each two pieces that stand in one pair. Throws Error if a file of pairs
// cannot be read. The same corpus gives the same lists.
std::vector<std::vector<std::int32_t>> likely_translations(const ParallelCorpus& corpus,
                                                           int source_pieces,
                                                           const LexiconOptions& options);

}  // namespace tt
