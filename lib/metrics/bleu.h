// BLEU (Papineni et al., 2002) with the smoothings of Chen and Cherry (2014), as sacreBLEU 2.6.0
// computes it, and the BLEU that table 2 of "Attention Is All You Need" reports.
//
// A row: hypothesis tokens, tokens of the closest reference, matched n-grams for n = 1 .. order,
// all n-grams for n = 1 .. order.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metrics/ngram_metric.h"
#include "metrics/tokenizer.h"

namespace tt::metrics {

enum class Smoothing { kExp, kFloor, kAddK, kNone };

struct BleuOptions {
  std::string tokenize = "13a";  // one of tokenizer_names()
  TokenizerFiles files;          // of the tokenizer
  bool lowercase = false;
  Smoothing smoothing = Smoothing::kExp;
  std::optional<double> smooth_value;  // floor: 0.1, add-k: 1 if not given
  bool effective_order =
      false;  // ignore orders for which the hypothesis is too short; meant for single sentences
  int max_order = 4;  // 1 .. 64
  bool split_compounds =
      false;  // the paper's metric: put hyphens inside words between "##AT##" marks, see compound.h
};

// The name in signatures: "exp", "floor[0.10]", "add-k[1.00]", "none".
std::string smoothing_name(const BleuOptions& options);

// Reads "exp", "none", "floor", "floor:0.5", "add-k", "add-k:2" into `options`. Throws Error for
// anything else.
void set_smoothing(const std::string& text, BleuOptions& options);

struct BleuScore {
  double score = 0;                    // percent
  std::vector<double> precisions;      // percent
  std::vector<double> counts, totals;  // matched and all n-grams; after add-k smoothing
  double brevity_penalty = 1, ratio = 0;
  double hypothesis_length = 0, reference_length = 0;
};

// The score of summed counts. Requires as many `counts` and `totals` as orders.
BleuScore compute_bleu(std::span<const double> counts, std::span<const double> totals,
                       double hypothesis_length, double reference_length,
                       const BleuOptions& options);

class Bleu : public NgramMetric {
 public:
  // Throws Error if an option is out of range or the tokenizer is not available.
  explicit Bleu(const BleuOptions& options);

  std::string name() const override;
  std::size_t width() const override {
    return 2 + 2 * static_cast<std::size_t>(options_.max_order);
  }
  void segment(std::string_view hypothesis, std::span<const std::string_view> references,
               Row row) const override;
  double score(const Totals& totals) const override { return compute(totals).score; }
  bool needs_spaces() const override;
  Fields fields() const override;
  std::string verbose(const Totals& totals) const override;
  Details details(const Totals& totals) const override;
  bool comparable() const override { return !options_.split_compounds; }

  std::vector<std::size_t> orders() const override;
  void number(std::string_view text, SymbolNumbering& numbering,
              std::span<std::vector<std::uint32_t>> sequences) const override;
  double overlap_score(std::span<const NgramOverlap> orders) const override;

  BleuScore compute(const Totals& totals) const;
  // The tokens of one line, as counted.
  std::vector<std::string> tokens(std::string_view text) const;
  const BleuOptions& options() const { return options_; }

 private:
  void split(std::string_view text, std::string& lowered, std::string& buffer,
             std::vector<std::string_view>& tokens) const;

  BleuOptions options_;
  std::unique_ptr<Tokenizer> tokenizer_;
};

// BLEU of a corpus with one reference per hypothesis, 0 .. 100. Throws Error if their numbers
// differ, if there are none, or if an option is wrong.
double corpus_bleu(std::span<const std::string> hypotheses, std::span<const std::string> references,
                   const BleuOptions& options = {});

}  // namespace tt::metrics
