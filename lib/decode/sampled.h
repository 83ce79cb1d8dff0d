// Translations drawn at random, piece by piece, from what a model thinks of their continuations:
// each is a group of its own.
//
// A sample is a function of the model, the sentence, the seed, the sentence's number and the
// sample's: not of what is drawn beside it. Its log-probabilities are those of the model, not those
// that it was drawn from. The options change the distribution in the order in which SampleOptions
// has them, as in transformers; each sees what the one before has left, made to sum to one.
//
// If a sample draws </s> and its constraints have conditions that are not met, or has no more
// room than these need, it is late: from there on it is drawn from the pieces that they ask for,
// until they are met, and ends.
#pragma once

#include <vector>

#include "base/random.h"
#include "decode/selection.h"

namespace tt {

class Sampled : public Selection {
 public:
  Sampled(const SampleOptions& options, std::int32_t eos) : options_(options), eos_(eos) {}

  std::size_t groups() const override { return static_cast<std::size_t>(options_.samples); }
  int breadth(const SearchedSentence&) const override { return 0; }
  void choose(const SearchedSentence& sentence, std::size_t group,
              std::span<const Continuations> rows, std::vector<Extension>& extensions) override;

 private:
  struct Outcome {
    Continuation continuation;
    double weight;
  };
  void heat(std::span<const Continuation> continuations);
  void keep_top_k();
  void keep_top_p();
  void keep_above_epsilon();
  double mass() const;
  static std::vector<Continuation> wanted(const SearchedSentence& sentence,
                                          const LiveHypothesis& live, const Continuations& row);
  const Continuation& draw(std::span<const Continuation> continuations, float u);

  const SampleOptions& options_;
  const std::int32_t eos_;
  std::vector<Random> randoms_;  // of each sentence and sample
  std::vector<Outcome> outcomes_;
};

}  // namespace tt
