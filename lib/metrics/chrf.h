// chrF (Popovic, 2015) and chrF++ (Popovic, 2017): an F score over character n-grams and, for
// chrF++, word n-grams, as sacreBLEU 2.6.0 computes it. Of several references the one with the best
// score counts; ties go to the first.
//
// A row: for each order, characters first, the number of n-grams of the hypothesis (0 if the
// reference has none of that order), of the reference, and in common.
#pragma once

#include <span>
#include <string>

#include "metrics/ngram_metric.h"

namespace tt::metrics {

struct ChrfOptions {
  int char_order = 6;
  int word_order = 0;  // chrF++: 2
  double beta = 2;     // recall counts beta times as much as precision
  bool lowercase = false;
  bool whitespace = false;     // count white space as characters
  bool eps_smoothing = false;  // orders without n-grams count as nearly 0, instead of being ignored
};

class Chrf : public NgramMetric {
 public:
  // Throws Error if an option is out of range.
  explicit Chrf(const ChrfOptions& options);

  std::string name() const override;
  std::size_t width() const override { return 3 * all_orders(); }
  void segment(std::string_view hypothesis, std::span<const std::string_view> references,
               Row row) const override;
  double score(const Totals& totals) const override;
  bool needs_spaces() const override { return options_.word_order > 0; }
  Fields fields() const override;
  Details details(const Totals& totals) const override;

  std::vector<std::size_t> orders() const override;
  void number(std::string_view text, SymbolNumbering& numbering,
              std::span<std::vector<std::uint32_t>> sequences) const override;
  double overlap_score(std::span<const NgramOverlap> orders) const override;

 private:
  std::size_t all_orders() const {
    return static_cast<std::size_t>(options_.char_order + options_.word_order);
  }
  // `counts` of an order has three numbers, as in a row.
  template <class Counts>
  double f_score(const Counts& counts) const;

  ChrfOptions options_;
};

}  // namespace tt::metrics
