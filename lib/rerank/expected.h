// The score that a translation can be expected to have, from features that are known without a
// reference: a ridge regression on a development set.
//
// All effects are monotone, each with the sign that its feature has alone, if that is no chance, so
// that more confidence is never held against a translation: of all such weights w, those with the
// least
//   sum (score - constant - w f)^2 + lambda lines sum (w_i deviation_i)^2,
// where lambda, and whether one feature alone is better, are chosen by the error in ten parts of
// the development set, each with the weights of the other nine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rerank/weights.h"

namespace tt::rerank {

struct ExpectedScore {
  Weights weights;
  double constant = 0;
  double least = 0, most = 0;  // scores of the development set, between which all expected ones are
  double error = 0;            // the root mean square of that of lines which it was not fitted to
  double lines = 0;            // of the development set
  double model = 0;            // the feature "model", a number for its name; 0: there was none
  double doubtful = 0;  // of words: those of which less is expected are; 0: it is one of lines

  // Not a number if a feature is.
  double of(const std::vector<double>& features) const;
  // The error of the mean of so many lines.
  double error_of_mean(std::size_t count) const;
};

// Its file is one of weights (weights.h), of these features and of names that begin with "fit.".
// Throws Error as read_weights() does, and if one of these names is missing.
ExpectedScore read_expected_score(const std::string& path);
std::string write_expected_score(const ExpectedScore& expectation);

struct Example {
  std::vector<double> features;
  double score;
};
struct FittedScore {
  ExpectedScore expectation;
  double rank_correlation;  // Spearman's, of lines which it was not fitted to
  std::string single;       // the best feature by itself
  double single_error, single_correlation;
  std::vector<std::string> constant;  // features that were left out: all lines have one value
  std::vector<double> expected, expected_by_single;  // of each example, fitted to others
};

// Throws Error if there are too few lines for so many features, if no feature or no score differs
// between lines, or if lines are of several models.
FittedScore fit_expected_score(const std::vector<std::string>& names,
                               const std::vector<Example>& examples);

// How well words that are kept (of a positive score) are told from others by what is expected.
struct Doubt {
  double below = 0;        // those of which less is expected are doubtful: where Matthews is most
  double correlation = 0;  // of Matthews
  double kept = 0, doubtful = 0;  // F1 of the words that are not doubtful, and that are
};
Doubt best_doubt(const std::vector<double>& expected, const std::vector<double>& scores);

// Spearman's correlation of the ranks of numbers, of which equal ones have their mean rank.
double rank_correlation(const std::vector<double>& one, const std::vector<double>& other);

}  // namespace tt::rerank
