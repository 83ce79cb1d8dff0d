// The n-grams of a set of texts, counted once, for scoring many of these texts against many.
//
// Equal n-grams of any two texts have equal numbers. An n-gram that one text alone has can only be
// shared by that text with itself, and the longer n-grams around it likewise, so that few remain to
// be compared.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "metrics/ngram_metric.h"

namespace tt::metrics {

class NgramTable {
 public:
  // Counts the n-grams of `texts`, and forgets those of earlier texts. `metric` must outlive the
  // calls below. A text that comes twice is counted twice, and costs more.
  void read(const NgramMetric& metric, std::span<const std::string_view> texts);

  // Chooses what texts are scored against: one whose counts are the sum of those of `references`,
  // numbers of texts, each times its weight, which is at most 1. One reference of weight 1 gives
  // the metric's score of a sentence (NgramMetric::score of its row).
  void refer_to(std::span<const std::uint32_t> references, std::span<const double> weights);

  // The score of text `hypothesis`.
  double score(std::uint32_t hypothesis);

 private:
  struct Entry {
    std::uint32_t ngram;
    float count;
  };
  // `symbols`: of the kind; `numbers`: of n-grams of the previous order, and then of this one.
  void count_order(std::size_t order, std::size_t slot, std::uint32_t symbols,
                   std::uint32_t& numbers);

  const NgramMetric* metric_ = nullptr;
  std::size_t slots_ = 0;  // orders of all kinds together
  SymbolNumbering numbering_;
  PairNumbering pairs_;
  std::vector<std::vector<std::uint32_t>> sequences_;  // [text * kinds + kind]
  std::vector<NgramPositions> positions_;              // [text], of the kind that is counted
  // By text and slot: all n-grams, those that no other text has, and the others as entries.
  std::vector<double> totals_, own_;
  std::vector<std::vector<Entry>> entries_;                     // [text * slots + slot]
  std::vector<std::uint32_t> texts_with_, last_text_, counts_;  // by n-gram of the order
  std::uint32_t numbered_ = 0;                                  // n-grams of all orders so far

  std::vector<double> referred_;   // by n-gram
  std::vector<double> weights_;    // by text: its weight as a reference
  std::vector<double> reference_;  // by slot: all n-grams
  std::vector<std::uint32_t> references_;
  std::vector<NgramOverlap> overlaps_;
};

}  // namespace tt::metrics
