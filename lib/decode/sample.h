// Translations drawn at random, piece by piece, from what a model thinks of their continuations.
//
// A sample is a function of the model, the sentence, the seed, the sentence's number and the sample's: not of what is drawn
// beside it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/beam.h"

namespace tt {

struct SampleOptions {
  int samples = 0;  // per sentence; 0: sentences are searched, not drawn
  // In this order:
  double temperature = 1;  // p^(1 / temperature), made to sum to one; above 0
  int top_k = 0;           // of the k likeliest pieces only; 0: of all
  double top_p = 1;        // of the fewest likeliest pieces that have this probability together (Holtzman et al. 2020)
  double epsilon = 0;      // of those left that have at least this probability, but of the likeliest anyway (Hewitt et al. 2022)
  std::uint64_t seed = 1;
};

// Draws options.samples translations of each sentence, in their order, within its limit and behind its prefix; `numbers` are what
// its random numbers depend on. Terms are not looked at. Log-probabilities are those of the model, not those that were drawn
// from. Throws NotFinite as beam_search() does.
std::vector<std::vector<Hypothesis>> sample(State& state, std::span<const Sought> sentences,
                                            std::span<const std::uint64_t> numbers, std::int32_t bos, std::int32_t eos,
                                            const SearchOptions& search, const SampleOptions& options);

}  // namespace tt
