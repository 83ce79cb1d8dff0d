// Sampling segmentations: BPE-dropout and unigram sampling.
//
// SentencePiece can sample too, but from its own generator per thread, so that results depend on
// which thread takes which line. Here all random numbers come from the Random that is passed in.
//
// Sources: Provilkov et al., "BPE-Dropout" (2020), algorithm 1; Kudo, "Subword Regularization"
// (2018), section 3.2 with l = infinity (forward filtering, backward sampling).
//
// Invariant: the concatenation of the sampled pieces is the text.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tt {

class Random;

// The pieces of a model that text may be segmented into.
struct PieceTable {
  std::unordered_map<std::string_view, float> scores;  // normal and user-defined pieces
  std::vector<std::string_view> symbols;  // the user-defined ones: never split, longest first
  std::size_t longest = 0;                // bytes of the longest piece
  float unknown = 0;                      // score of a character without a piece (unigram)
};

// Splits a word into characters and symbols and merges them, best pair first; before each merge
// every candidate is dropped with probability `dropout`, and the word is done when none is left.
// Appends the pieces, which are views into `word`. With dropout 0 this is BPE. Expected time O(n
// log n / (1 - dropout)) for n characters. Requires valid UTF-8.
void sample_merges(std::string_view word, const PieceTable& table, float dropout, Random& random,
                   std::vector<std::string_view>& pieces);

// Samples from all segmentations of `text` with probability proportional to exp(strength x sum of
// scores). Appends the pieces, which are views into `text`. Time O(n longest). Requires valid
// UTF-8.
void sample_lattice(std::string_view text, const PieceTable& table, float strength, Random& random,
                    std::vector<std::string_view>& pieces);

}  // namespace tt
