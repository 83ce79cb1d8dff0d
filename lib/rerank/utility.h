// How good a translation is expected to be when other translations stand for the reference that
// nobody has: the utility of minimum Bayes risk decoding (Kumar and Byrne 2004; Eikema and Aziz
// 2022).
#pragma once

#include <cstddef>
#include <memory>
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

class Utility {
 public:
  virtual ~Utility() = default;
  // As a feature of a list is called: "chrF2".
  virtual std::string name() const = 0;
  // The expected utility of each hypothesis, in percent, larger for better ones; not a number for
  // one that was pruned. Safe to call from several threads. Requires a reference.
  virtual std::vector<double> expected(const Evidence& evidence) const = 0;
};

// How utilities of single references become one.
struct Expectation {
  // Hypotheses are scored against one reference, whose n-grams are the mean of those of all: linear
  // time (Vamvas and Sennrich 2024; DeNero et al. 2009 for BLEU). Otherwise the mean of the scores
  // against each reference counts.
  bool aggregate = false;
  // Only so many of the hypotheses that are best by aggregated references are scored against each
  // reference; 0: all. Not with `aggregate`.
  std::size_t prune = 0;
};

std::unique_ptr<Utility> make_ngram_utility(std::unique_ptr<metrics::NgramMetric> metric,
                                            const Expectation& expectation);

}  // namespace tt::rerank
