// Metrics of the n-grams that texts share. Texts are sequences of symbols of one or several kinds,
// as characters and words; for each order of each kind it counts how many n-grams a hypothesis has,
// how many its reference, and how many both, and the score follows from these.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/metric.h"
#include "metrics/ngrams.h"

namespace tt::metrics {

// Numbers the symbols of texts, and holds what became of these texts, as in lower case.
class SymbolNumbering {
 public:
  CharacterNumbering characters;
  Numbering words;

  void clear();           // forgets all symbols and texts
  std::string& buffer();  // an empty text that lives until clear()

 private:
  std::deque<std::string> buffers_;
  std::size_t used_ = 0;
};

// The n-grams of one order. They need not be whole numbers: of several references there is a mean.
struct NgramOverlap {
  double hypothesis = 0, reference = 0, common = 0;
};

class NgramMetric : public Metric {
 public:
  // For each kind of symbols, up to which order n-grams count: {6, 2}.
  virtual std::vector<std::size_t> orders() const = 0;
  // Sets sequences[k] to the symbols of kind k, by their numbers. Those of words are views into
  // `text` or the buffers of `numbering`. Safe to call from several threads with different
  // `numbering`.
  virtual void number(std::string_view text, SymbolNumbering& numbering,
                      std::span<std::vector<std::uint32_t>> sequences) const = 0;
  // The score, in percent, of one hypothesis: the orders of the first kind, of the second, ...
  virtual double overlap_score(std::span<const NgramOverlap> orders) const = 0;
};

}  // namespace tt::metrics
