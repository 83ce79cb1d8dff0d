// COMET as the utility of minimum Bayes risk decoding: a translation is expected to have the mean
// of its scores against other translations (Fernandes et al. 2022).
#pragma once

#include <memory>

#include "comet/metric.h"
#include "rerank/utility.h"

namespace tt {

// Source, hypotheses and references of a line are encoded once each. The mean of references is the
// mean of their embeddings (Vamvas and Sennrich 2024). Throws Error as CometScorer does, and if the
// model scores without references, or reads them together with the translation.
std::unique_ptr<rerank::Utility> make_comet_utility(const CometChoice& choice,
                                                    const rerank::Expectation& expectation);

}  // namespace tt
