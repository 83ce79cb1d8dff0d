// Subword regularisation of training text: each time a sentence is used it is segmented
// differently, so that the model sees many spellings of each word, which helps most when training
// text is scarce: BPE-dropout (Provilkov et al. 2020) and unigram sampling (Kudo, "Subword
// Regularization", 2018).
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

// None where both are 0.
struct SubwordNoise {
  float dropout = 0;  // of a BPE model: the probability that a merge is dropped
  float alpha = 0;    // of a unigram model: a segmentation x has one proportional to P(x)^alpha
};

class SubwordRegularization {
 public:
  // Throws Error if there is noise for a kind of model that neither side has, or for one side
  // alone.
  SubwordRegularization(const Subword& source, const Subword& target, const SubwordNoise& noise,
                        std::uint64_t seed, std::int64_t max_length);

  // Segments the sentences of a batch anew. A sentence is kept as it is if it would get more than
  // max_length pieces, or has unknown ones, whose text is lost. The batch may grow by some tens of
  // percent.
  void apply(Batch& batch, std::int64_t update) const;

 private:
  // A subword model, and the noise for its kind.
  struct Segmenter {
    Subword subword;
    float strength;
  };
  void cut(const Segmenter& by, Random random, SpeltSentence& sentence) const;

  const Segmenter source_, target_;
  std::uint64_t seed_;
  std::int64_t max_length_;
};

}  // namespace tt
