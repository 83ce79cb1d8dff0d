// TER (Snover et al., 2006), translation edit rate: insertions, deletions, substitutions and shifts
// of blocks of words, per word of the references, as sacreBLEU 2.6.0 computes it (after Tercom,
// with its heuristics; see ter_edits.h).
//
// A row: the fewest edits to any reference; the mean length of the references as a whole number
// and, so that sums stay exact, its fraction in units of 1/kTerUnit.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/metric.h"

namespace tt::metrics {

// The smallest number divisible by 1 .. 22: fractions of up to 22 references are whole multiples of
// its inverse.
inline constexpr std::int32_t kTerUnit = 232792560;
inline constexpr std::size_t kTerReferences = 22;

struct TerOptions {
  bool normalized = false;      // undo XML escapes, separate punctuation from words
  bool no_punct = false;        // remove punctuation
  bool asian_support = false;   // with normalized: separate CJK characters; with no_punct: also
                                // remove CJK punctuation
  bool case_sensitive = false;  // otherwise lower-case
};

// The words of a line, separated by single spaces.
std::string ter_tokens(std::string_view text, const TerOptions& options);

// Which words of a translation, as words_of() it, a person would keep who made the reference of it:
// those that TER's edits do not touch, without shifts, as labels of WMT's tasks of quality.
std::vector<bool> kept_words(std::string_view hypothesis, std::string_view reference);

class Ter : public Metric {
 public:
  explicit Ter(const TerOptions& options) : options_(options) {}

  std::string name() const override { return "TER"; }
  std::size_t width() const override { return 3; }
  // Throws Error if there are more than kTerReferences references.
  void segment(std::string_view hypothesis, std::span<const std::string_view> references,
               Row row) const override;
  double score(const Totals& totals) const override;
  bool lower_is_better() const override { return true; }
  bool needs_spaces() const override { return !options_.normalized || !options_.asian_support; }
  Fields fields() const override;
  Details details(const Totals& totals) const override;

 private:
  TerOptions options_;
};

}  // namespace tt::metrics
