// BPE-dropout of training text: each time a sentence is used it is segmented differently, so that
// the model sees many spellings of each word (Provilkov et al., "BPE-Dropout", 2020; it helps most
// when training text is scarce).
//
// The corpus holds pieces, from which the text of a sentence is recovered. Invariant: a
// segmentation is a function of the seed, the update and the sentence number, never of threads, so
// a resumed run sees the same segmentations.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "text/respell.h"
#include "text/subword.h"

namespace tt {

class SubwordDropout {
 public:
  // `rate` is the probability that a merge is dropped. Throws Error if it is not 0 and a model is
  // not a BPE model.
  SubwordDropout(const Subword& source, const Subword& target, float rate, std::uint64_t seed,
                 std::int64_t max_length);

  // Segments the sentences of a batch anew. A sentence is kept as it is if it would get more than
  // max_length pieces, or has unknown ones, whose text is lost. The batch may grow by some tens of
  // percent.
  void apply(Batch& batch, std::int64_t update) const;

 private:
  void cut(const Subword& subword, Random random, SpeltSentence& sentence) const;

  const Subword source_, target_;
  float rate_;
  std::uint64_t seed_;
  std::int64_t max_length_;
};

}  // namespace tt
