// Phrases that a translation must have, as a glossary's terms and stretches that are kept.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "decode/constraint.h"

namespace tt {

// Which pieces begin inside a word, and end inside one that may go on; by piece.
struct WordPieces {
  std::vector<char> begins, ends;
  std::string first,
      last;  // the characters that they begin and end with, if these are ASCII, or NUL

  // Whether a word goes on from one piece to the next.
  bool joined(std::int32_t before, std::int32_t next) const {
    return ends[static_cast<std::size_t>(before)] && begins[static_cast<std::size_t>(next)];
  }
  // Whether what begins with a piece does not stand apart from the piece before it: it is joined,
  // or there is a sign before it, or it is one, with which a URL or a number would go on.
  bool glued(std::int32_t before, std::int32_t next) const;
};

// They come in any order, not overlapping: of each term one of its alternatives, none of them
// empty.
class Terms : public Constraint {
 public:
  using Phrase = std::vector<std::int32_t>;
  Terms() = default;
  // With `words`, which must outlive this, a phrase does not begin or end inside a word.
  explicit Terms(const std::vector<std::vector<Phrase>>& terms, const WordPieces* words = nullptr);

  void demand(Tokens tokens, const Constraint::Progress* progress, Demands& demands) const override;
  // The pieces of the longest alternatives, and the number of terms.
  Fulfilment goal() const override { return goal_; }
  ProgressPointer begin() const override;
  ProgressPointer advance(const ProgressPointer& before, Tokens tokens) const override;
  Fulfilment fulfilment(const Constraint::Progress& progress) const override;
  Fulfilment fulfilment_with(const ProgressPointer& before, Tokens tokens,
                             std::int32_t piece) const override;
  double sum(const Constraint::Progress& progress, std::span<const float> numbers,
             std::size_t first) const override;

  // The alternatives that begin with the last `pieces` tokens: a range of all, in their order.
  struct Begun {
    std::size_t first, last, pieces;
  };
  // How far a translation that begins with `tokens` has come. Read from left to right, a term is
  // met where one of its alternatives ends, if no other was met inside; of terms that end together
  // the first unmet one is. It is so no longer if the word goes on.
  struct Progress : Constraint::Progress {
    std::vector<std::size_t> ends;  // per term: the token behind its last one; 0: not met
    std::size_t met = 0;            // terms
    int pieces = 0;                 // of terms that are met, and of the one that was begun
    int begun = 0;                  // of the latter alone
    std::vector<std::int32_t>
        next;  // pieces that go on with an alternative of an unmet term, or begin one
    std::vector<std::size_t> lengths;  // per term: the tokens of the alternative that was met
    std::size_t free = 0;              // the first token behind the last term that was met
    std::vector<Begun> alternatives;   // that were begun, the longest begin first

    bool goes_on_with(std::int32_t piece) const {
      return std::binary_search(next.begin(), next.end(), piece);
    }
    // Whether a term ends with the last of so many tokens.
    bool just_met(std::size_t tokens) const { return free > 0 && free == tokens; }
  };
  Progress progress(Tokens tokens) const;
  // The progress of `tokens`, where `before` is that of all of them but the last.
  Progress progress(const Progress& before, Tokens tokens) const;

 private:
  struct Alternative {
    Phrase phrase;
    std::size_t term;
  };
  struct Met {
    std::size_t term, pieces;  // no pieces: none
  };
  bool broken(Tokens tokens, std::int32_t piece, const Progress& before) const;
  void take_back(Progress& p) const;
  std::vector<Begun> go_on(Tokens tokens, std::span<const Begun> begun, std::int32_t piece) const;
  Met met_by(std::span<const Begun> begun, const Progress& p) const;
  std::size_t longest_begun(std::span<const Begun> begun, const Progress& p) const;
  void step(Tokens tokens, Progress& p) const;
  void look_ahead(Tokens tokens, Progress& p) const;
  std::vector<Alternative> all_;  // by phrase, so that those that begin alike stand together
  Fulfilment goal_;
  const WordPieces* words_ = nullptr;
};

}  // namespace tt
