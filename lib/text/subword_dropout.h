// BPE-dropout of training text: every time that a sentence comes up, it is cut into other pieces, so that the model sees many spellings
// of few words (Provilkov et al., "BPE-Dropout", 2020; it helps most where text is scarce).
//
// The corpus holds pieces, not text; a sentence's text is had back from them. Invariant: how a sentence is cut is a function of the seed,
// the update and the sentence's number, never of threads, so that a run that goes on sees what it would have seen.
#pragma once

#include <cstdint>

#include "text/batch.h"
#include "text/subword.h"

namespace tt {

class SubwordDropout {
 public:
  // `rate` is the probability that a merge is left out. Throws Error if it is not 0 and a model is not a BPE model.
  SubwordDropout(const Subword& source, const Subword& target, float rate, std::uint64_t seed, std::int64_t max_length);

  // Cuts the sentences of a batch anew. One that would get more than max_length pieces, or has unknown ones, whose text is lost, stays
  // as it is. The batch gets up to a few tenths more rows than it had.
  void apply(Batch& batch, std::int64_t update) const;

 private:
  void cut(const Subword& subword, const Side& before, std::span<const std::int64_t> sentences, std::int64_t update,
           std::uint32_t stream, Side& after) const;

  const Subword source_, target_;
  float rate_;
  std::uint64_t seed_;
  std::int64_t max_length_;
};

}  // namespace tt
