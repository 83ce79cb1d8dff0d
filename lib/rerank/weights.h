// Weights of the features of candidates, and their file: lines "NAME= value", as in the settings of
// Moses; blank lines, and those that begin with #, say nothing.
#pragma once

#include <string>
#include <vector>

#include "rerank/candidates.h"

namespace tt::rerank {

struct Weights {
  std::vector<std::string> names;
  std::vector<double> values;
};

// Throws Error if the file cannot be read, has none, or a line is not "NAME= value ...", or a name
// comes twice.
Weights read_weights(const std::string& path);
// Requires names that weights can have.
std::string write_weights(const Weights& weights);
// Whether a line "NAME= value" can have that name; one of JSON may have spaces.
bool is_weight_name(const std::string& name);

// The number of a name; not a number where there is none: a 0 would be taken for one that is sure.
double feature_of(const std::vector<Feature>& features, const std::string& name);

// The numbers of these names. One that the candidate lacks is 0, and one that is not a number stays
// so; each is a problem.
std::vector<double> features_of(const Candidate& candidate, const std::vector<std::string>& names,
                                const ListProblem& problem);

}  // namespace tt::rerank
