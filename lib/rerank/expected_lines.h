// Expected scores of translations in lines of JSON, and of all of them together.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/line_source.h"
#include "base/output.h"
#include "base/reasons.h"
#include "metrics/metric.h"
#include "rerank/expected.h"

namespace tt::rerank {

// Fits what is expected of the features `names`, or of all numbers of the first line if there are
// none. Scores are those by `metric` against a reference behind the object and an LF, or, if it is
// null, numbers called `score`. Lines that lack some of this are left out, and a problem. Throws
// Error as `in` and fit_expected_score() do.
FittedScore fit_lines(LineSource& in, std::vector<std::string> names, const metrics::Metric* metric,
                      const std::string& score, Reasons& problems);

// Fits so how likely words are kept, in per cent, from what an object says of its "words": the
// numbers of each, those of its neighbours, as "before.mean" and "after.mean", and those of the
// object, as "line.mean". Words are kept by kept_words() (metrics/ter.h) against a reference, or,
// if `score` is not empty, where that number of theirs is positive. Sets ExpectedScore::doubtful.
struct FittedWords {
  FittedScore fitted;
  Doubt doubt, by_single;
  double kept = 0;  // a share
};
FittedWords fit_words(LineSource& in, std::vector<std::string> names, const std::string& score,
                      Reasons& problems);

struct ExpectedOfLines {
  std::size_t lines = 0, below = 0;  // with an expected score, and with less than the least
  // The mean of all, and with 95 % probability how far from it, or from that of a line, the score
  // is, if the text is of the kind of the development set.
  double mean = 0, margin = 0, line_margin = 0;

  void complete(double sum, const ExpectedScore& expectation);  // sets these, of the sum of all
};

// Lines of which less is expected, or nothing, go elsewhere: their translation is empty.
struct Rest {
  double least = 0;
  Output* to = nullptr;  // number TAB expected TAB source TAB translation; null: none do
};

// Writes each line with its score as "expected", or with the problem as "error". Throws Error if a
// line is of another model than the expectation, whose file has the name `from`.
ExpectedOfLines expect_lines(LineSource& in, const ExpectedScore& expectation, Output& out,
                             const Rest& rest, const std::string& from, Reasons& problems);

// Writes each line with the words' chance to be "kept" and with "tags", OK or BAD for each; or, to
// `mark`, the translation alone with [[ ]] around doubtful words, invisible characters escaped. Of
// what it returns, words are `lines`, and those that are doubtful are `below`.
ExpectedOfLines tag_words(LineSource& in, const ExpectedScore& expectation, Output& out, bool mark,
                          const std::string& from, Reasons& problems);

}  // namespace tt::rerank
