// Comparison of two systems: by length of the reference, by the n-grams they get right, and by
// sentence.
//
// Fed block by block. Memory grows with the number of distinct matched n-grams, not with the text.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "metrics/bleu.h"
#include "metrics/scoring.h"

namespace tt::metrics {

struct LengthGroup {
  std::size_t shortest = 0,
              longest = 0;  // tokens of the first non-empty reference; longest 0: no limit
  std::size_t segments = 0;
  std::vector<std::vector<Totals>> totals;  // [metric][system]
};

struct NgramDifference {
  std::string ngram;                   // tokens separated by single spaces
  std::int64_t first = 0, second = 0;  // how often each system matched it
};

struct SentenceDifference {
  std::size_t segment = 0;       // the first is 1
  double first = 0, second = 0;  // scores
  std::string first_text, second_text;
  std::vector<std::string> references;
};

class Comparison {
 public:
  // `words` defines tokens and n-grams; sentences are compared by the first of `metrics`, in the
  // variant for single sentences (BLEU: effective order). At most `top` entries are kept in each
  // list of differences. Groups of sentences by their length are `step` tokens wide, but the last
  // of the seven, which has no limit.
  Comparison(const Metrics& metrics, const BleuOptions& words, std::size_t top,
             std::size_t step = 10);

  // Adds a block of two systems.
  void add(const ScoringBlock& block);

  // The non-empty groups, shortest first.
  std::vector<LengthGroup> lengths() const;
  // N-grams of `order` that the first (`of_first`) or the second system matched more often, largest
  // difference first.
  std::vector<NgramDifference> ngrams(int order, bool of_first) const;
  // Sentences for which the first (`of_first`) or the second system has the better score, largest
  // difference first.
  std::vector<SentenceDifference> sentences(bool of_first) const;
  const Bleu& words() const { return words_; }

 private:
  struct Matches {
    std::int64_t first = 0, second = 0;
  };
  using NgramCounts = std::unordered_map<std::string, int>;
  std::vector<NgramCounts> count_ngrams(std::string_view text) const;
  void add_ngrams(const ScoringBlock& block, std::size_t i);
  void add_sentence(const ScoringBlock& block, std::size_t i);

  const Metrics& metrics_;
  Bleu words_;
  std::unique_ptr<Metric> sentence_;  // scores sentences; null if the first metric itself does
  std::size_t top_, step_;
  std::vector<LengthGroup> lengths_;
  std::vector<std::unordered_map<std::string, Matches>> ngrams_;  // by order
  std::vector<SentenceDifference> sentences_[2];  // better by the first, by the second; heaps
};

}  // namespace tt::metrics
