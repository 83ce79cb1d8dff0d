// Beam search over anything that can be stepped and reordered (section 6.1). It does not know what a Transformer is.
//
// The score of a hypothesis Y is log P(Y) / lp(Y); decode/length_penalty.h has the choices of lp. What was asked for does not count
// by its length: the pieces of a prefix are left out of P(Y), though not of the length, and log-probabilities of terms are divided
// by lp of a translation as long as its source, so that a longer one does not make a term in a bad place cheaper.
// All sentences of a batch advance together, but what is found for one does not depend on the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "decode/length_penalty.h"
#include "decode/rules.h"
#include "model/model.h"

namespace tt {

struct SearchOptions {
  int beam = 4;
  Penalty penalty;
  double length_factor = 1;  // a translation has at most so many tokens for each of its source,
  int extra_length = 50;     // and these
  int best = 1;              // hypotheses that are wanted of each sentence; at most `beam`
  Rules rules;
  bool stop_when_full = false;  // a beam of finished hypotheses ends the search, even if one that lives would be the best
  bool narrow = false;  // a hypothesis that ends leaves the beam, which is narrower from then on; else another takes its place
  bool forbid_unknown = false;  // no translation has the unknown piece
  // Diverse beam search (Vijayakumar et al. 2018, Hamming diversity): so many groups of beam / groups hypotheses, which go on one
  // after the other; a piece's log-probability counts `diversity` less for each hypothesis of an earlier group that it goes on
  // with in this step.
  int groups = 1;
  double diversity = 0;
};

// What a model's configuration says of search.
SearchOptions search_options(const Config& config);

// What is sought for one sentence.
struct Sought {
  std::int64_t limit = 1;            // the most tokens of a translation, </s> not counted
  std::vector<std::int32_t> prefix;  // its first tokens, at most `limit`
  Terms terms;                       // what it must have
  std::int64_t source = 1;           // tokens of the sentence, with </s>
};

// Thrown by a search whose model gives numbers that are not finite.
class NotFinite : public Error {
 public:
  explicit NotFinite(std::size_t of = 0, const std::string& model = "")
      : Error(model, model.empty() ? "" : ": ",
              "a probability is not finite; the model is damaged, or its training has diverged"),
        member(of) {}
  std::size_t member;  // of an ensemble
};

struct Hypothesis {
  std::vector<std::int32_t> tokens;      // without <s> and </s>
  std::vector<float> log_probabilities;  // of the tokens, and of </s> where it has ended
  double log_probability = 0;
  double score = 0;
  double given = 0, imposed = 0;  // of its log-probability: that of a prefix, and that of the terms that it has
  std::size_t met = 0;            // terms that it has
  bool late = false;              // a term came where it would have ended without

  // Appends what was found with a log-probability; </s> is not kept.
  void append(std::int32_t piece, float found, std::int32_t eos);
  // The score that it would have with so many tokens, </s> among them.
  double score_at(std::int64_t length, const Penalty& penalty, std::int64_t source) const;
  // Sets the score of a hypothesis that goes no further.
  void finish(const Penalty& penalty, std::int64_t source);
};

// Finds translations. Returns for every sentence its finished hypotheses, best first: at least one, and `best` if there are so
// many. Throws NotFinite if a probability is not finite. Requires that `groups` divides `beam`.
//
// A step takes the 2 beam best continuations of all hypotheses of a sentence; those that end among the first `beam` are finished,
// the first `beam` that do not end live on; with `narrow`, of as many continuations as the beam is still wide. A sentence is done
// when `beam` hypotheses are finished and none that lives would be the best if it ended now (or without the latter, with
// `stop_when_full`), when none that lives could still overtake one of the `best` best finished ones (log-probabilities only
// fall), or at its limit, where what lives is finished as it stands. Where nothing may follow and nothing has ended, the best
// hypothesis is finished as it stands.
//
// A sentence with terms has at least two more hypotheses than pieces of them, up to 26 in all. Those that have the same number of
// pieces of terms are ranked among themselves, and the first of each lives on, of the 25 with the most pieces (Post and Vilar
// 2018); the room that is left is for those with the most pieces. Only those that have all may end. A hypothesis whose likeliest
// next token is </s>, and that may not end, is over: where terms come behind that, it is late, and stands behind all of its rank
// that are not. As many finished ones are enough as the beam has room for beside the other ranks, or `best`, unless what lacks
// terms, and is not over, could still be the best, also with `stop_when_full`. What meets more comes first, then what is not late.
std::vector<std::vector<Hypothesis>> beam_search(State& state, std::span<const Sought> sentences, std::int32_t bos,
                                                 std::int32_t eos, const SearchOptions& options);

// The pieces that may not follow each of some hypotheses, or that are asked for, as a Question wants them: rows of one width.
class RaggedRows {
 public:
  void clear() { rows_.clear(); }
  std::vector<std::int32_t>& add() { return rows_.emplace_back(); }
  std::span<const std::int32_t> row(std::size_t r) const { return rows_[r]; }
  // All of them, filled up with -1; alive until the next call.
  std::span<const std::int32_t> padded();
  std::size_t width() const { return width_; }  // of the last padded()

 private:
  std::vector<std::vector<std::int32_t>> rows_;
  std::vector<std::int32_t> flat_;
  std::size_t width_ = 0;
};

}  // namespace tt
