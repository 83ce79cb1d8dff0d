// The search for translations, over anything that can be stepped and reordered: it does not know
// what a Transformer is, what constraints ask for (constraint.h), nor which hypotheses live on
// (selection.h).
//
// The score of a hypothesis Y is log P(Y) / lp(Y), of what was not asked for: see
// Hypothesis::score_at(); length_penalty.h has the extensions of lp. All sentences of a batch
// advance together, but what is found for one does not depend on the others.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "decode/constraint.h"
#include "decode/hypothesis.h"
#include "decode/length_penalty.h"
#include "model/model.h"

namespace tt {

class SearchObserver;

// In the order in which they are applied (sampled.h).
struct SampleOptions {
  int samples = 0;         // per sentence; 0: sentences are searched, not drawn
  double temperature = 1;  // p^(1 / temperature), made to sum to one; above 0
  int top_k = 0;           // of the k likeliest pieces only; 0: of all
  // Drawn from the fewest likeliest pieces with this probability together (Holtzman et al. 2020).
  double top_p = 1;
  // Drawn from pieces with at least this probability, or the likeliest one (Hewitt et al. 2022).
  double epsilon = 0;
  std::uint64_t seed = 1;
};

struct SearchOptions {
  int beam = 4;
  Penalty penalty;
  double length_factor = 1;  // a translation has at most so many tokens for each of its source,
  int extra_length = 50;     // and these
  int best = 1;              // hypotheses that are wanted of each sentence; at most `beam`
  // A beam of finished hypotheses ends the search, even if one that lives would be the best.
  bool stop_when_full = false;
  // A hypothesis that ends leaves the beam, which is narrower from then on; else another takes its
  // place.
  bool narrow_beam = false;
  bool forbid_unknown = false;  // no translation has the unknown piece
  int groups = 1;               // of a diverse search; they divide the beam (diverse.h)
  double diversity = 0;
  SampleOptions sample;
  ConstraintList constraints;          // of every sentence
  SearchObserver* observer = nullptr;  // is told of every step, by the thread that searches

  // Translations of a sentence that are asked for.
  int wanted() const { return sample.samples > 0 ? sample.samples : best; }
};

// The options of search that a model's configuration has.
SearchOptions search_options(const SearchSettings& settings);

// The search for the translation of one sentence.
struct SearchRequest {
  std::int64_t limit = 1;    // the most tokens of a translation, </s> not counted
  std::int64_t source = 1;   // tokens of the sentence, with </s>
  std::uint64_t number = 0;  // what its samples depend on
  ConstraintList constraints = {};
  bool attended =
      false;  // the attention of its tokens is kept; needs an AttendedState that attends
  // Tokens that its translation follows, which count nowhere but in the limit, and are not
  // returned.
  std::vector<std::int32_t> history = {};
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

// Finds translations of sentences, or draws them where samples are asked for. Returns those of each
// sentence: best first, at least one, and `best` if there are so many; or `samples` in their order.
// At its limit what lives is finished as it stands; so is the first hypothesis where nothing may
// follow and nothing has ended. Throws NotFinite if a probability is not finite.
std::vector<std::vector<Hypothesis>> search(State& state, std::span<const SearchRequest> requests,
                                            std::int32_t bos, std::int32_t eos,
                                            const SearchOptions& options);

}  // namespace tt
