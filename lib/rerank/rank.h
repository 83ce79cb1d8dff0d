// The order of the candidates of a line, the best first: by expected utility, or by weights of
// their features. Of equals the one that is first in the list comes first.
#pragma once

#include <string>
#include <vector>

#include "rerank/list_source.h"
#include "rerank/utility.h"
#include "rerank/weights.h"

namespace tt::rerank {

// Each text once, at its first place in the list; without those that the utility pruned.
// `log_probability` names a feature whose exponential is the weight of a candidate as a reference,
// each text once; if it is empty, a text weighs as often as it is there, as in samples.
// `reference_problem`: told of references that come from lists of their own; null where there are
// no such lists. Where there are no references, or no weights, this is a problem, and the list's
// own order counts.
std::vector<Choice> rank_by_utility(const ListItem& item, const Utility& utility,
                                    const std::string& log_probability, const ListProblem& problem,
                                    const ListProblem* reference_problem);

// All candidates that have a score. If none has one, this is a problem, and the list's own order
// counts.
std::vector<Choice> rank_by_weights(const CandidateList& list, const Weights& weights,
                                    const ListProblem& problem);

}  // namespace tt::rerank
