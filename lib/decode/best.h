// Beam search: the likeliest continuations live on.
//
// A step takes the 2 beam best continuations of all hypotheses of a group; those that end among the
// first `beam` are finished, the first `beam` that do not end live on; with `narrow_beam`, of as
// many continuations as the beam is still wide. A group is done when `beam` have finished and
// none that lives would be the best if it ended now (or without the latter, with `stop_when_full`),
// or when none that lives could still overtake one of the `best` best finished ones:
// log-probabilities only fall.
//
// With constraints that have conditions, a beam is at least two wider than the rank of their goal,
// up to 26 in all. Hypotheses of a rank compete among themselves, and the first of each lives on,
// of the 25 highest ranks (Post and Vilar 2018); the room that is left is for the highest. A
// hypothesis whose likeliest next token is </s>, and that may not end, is over: where it meets
// conditions behind that, it is late, and stands behind all of its rank that are not. As many
// finished ones are enough as the beam has room for beside the other ranks, or `best`, unless one
// that lacks something, and is not over, could still be the best, also with `stop_when_full`. What
// meets more comes first, then what is not late.
#pragma once

#include "decode/selection.h"

namespace tt {

class Best : public Selection {
 public:
  // `options` must outlive it.
  Best(const SearchOptions& options, std::int32_t eos) : Best(options, eos, 1) {}

  int breadth(const SearchedSentence& sentence) const override;
  void choose(const SearchedSentence& sentence, std::size_t group,
              std::span<const Continuations> rows, std::vector<Extension>& extensions) override;
  bool done(const SearchedSentence& sentence, const HypothesisGroup& group) override;
  void rank(std::vector<Hypothesis>& found) const override;

 protected:
  Best(const SearchOptions& options, std::int32_t eos, int groups)
      : options_(options), eos_(eos), groups_(groups) {}
  // The value of a continuation by which it is chosen, if its hypothesis has this log-probability.
  virtual double value(double log_probability, std::int32_t) const { return log_probability; }

  const SearchOptions& options_;
  const std::int32_t eos_;
  const int groups_;

 private:
  struct Candidate {
    double value;
    Extension extension;
  };
  struct Shape {
    int ranks;           // that keep one hypothesis each; 0: there are no conditions
    int width;           // hypotheses of a group
    std::size_t wanted;  // of a group
    std::size_t enough;  // finished hypotheses of a group
  };
  Shape shape(const SearchedSentence& sentence) const;
  void collect(const SearchedSentence& sentence, const HypothesisGroup& group,
               std::span<const Continuations> rows);
  void rank_candidates(const SearchedSentence& sentence, const HypothesisGroup& group,
                       std::span<const Continuations> rows);
  static bool in_time(const SearchedSentence& sentence, const LiveHypothesis& live);
  double most_at(const SearchedSentence& sentence, const HypothesisGroup& group,
                 std::int64_t length, bool late) const;
  bool leads(const SearchedSentence& sentence, const HypothesisGroup& group) const;
  bool can_improve(const SearchedSentence& sentence, const HypothesisGroup& group,
                   std::size_t wanted);

  // The candidates of a rank: how many there are, and the first of all where it goes on.
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Rank {
    std::size_t candidates = 0, first = kNone;
  };

  std::vector<Candidate> candidates_;
  std::vector<Rank> ranks_;
  std::vector<char> taken_;
  std::vector<double> scores_;
};

}  // namespace tt
