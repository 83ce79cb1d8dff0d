// How good a translation is expected to be when other translations stand for the reference that
// nobody has: the utility of minimum Bayes risk decoding (Kumar and Byrne 2004; Eikema and Aziz
// 2022).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/ngram_metric.h"

namespace tt::rerank {

// The translations of a line, each text once.
struct Evidence {
  std::string_view source;  // of the line; empty where it is not known
  std::vector<std::string_view> hypotheses;
  std::vector<std::string_view> references;
  std::vector<double> weights;  // of the references; their sum is 1
};

// How utilities of single references become one.
struct Expectation {
  // Hypotheses are scored against one reference, whose n-grams, or embedding, are the mean of those
  // of all: linear time (Vamvas and Sennrich 2024; DeNero et al. 2009 for BLEU). Otherwise the mean
  // of the scores against each reference counts.
  bool aggregate = false;
  // Only so many of the hypotheses that are best by aggregated references are scored against each
  // reference; 0: all. Not with `aggregate`.
  std::size_t prune = 0;
};

// Texts of a line, which a metric has read once, to be scored against one reference after another.
class TextScorer {
 public:
  virtual ~TextScorer() = default;
  // Chooses the reference: the mean of these texts by their weights, whose sum is 1.
  virtual void refer_to(std::span<const std::uint32_t> references,
                        std::span<const double> weights) = 0;
  // The scores of these texts.
  virtual std::vector<double> score(std::span<const std::uint32_t> hypotheses) = 0;
};

class Utility {
 public:
  explicit Utility(const Expectation& expectation) : expectation_(expectation) {}
  virtual ~Utility() = default;
  // As a feature of a list is called: "chrF2".
  virtual std::string name() const = 0;
  // The expected utility of each hypothesis, on the scale of the metric, larger for better ones;
  // not a number for one that was pruned. Safe to call from several threads. Requires a reference.
  std::vector<double> expected(const Evidence& evidence) const;

 protected:
  // Reads texts, each of which is there once, with the source of their line.
  virtual std::unique_ptr<TextScorer> read(std::string_view source,
                                           std::span<const std::string_view> texts) const = 0;

 private:
  Expectation expectation_;
};

std::unique_ptr<Utility> make_ngram_utility(std::unique_ptr<metrics::NgramMetric> metric,
                                            const Expectation& expectation);

}  // namespace tt::rerank
