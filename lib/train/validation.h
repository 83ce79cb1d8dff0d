// Validation: the loss of a development set, and the BLEU of its translation, by the code of tt-translate and tt-bleu.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "decode/translator.h"
#include "nn/worker.h"
#include "text/corpus.h"

namespace tt {

struct ValidationResult {
  double loss = 0;  // mean negative log-likelihood per target token, nats
  double bleu = 0;  // percent
};

// Scores and translates the development set. `tokenize`: the tokenizer for BLEU. The result does not depend on the number of
// threads. Nothing if `stop` was true before all was translated; it is asked every 2,000 tokens, by any thread. Throws Error if
// the model's probabilities are not finite.
std::optional<ValidationResult> validate(const Model& model, const Backend& backend, ThreadPool& pool, const Subword& source,
                                         const Subword& target, const DevelopmentSet& set, const std::string& tokenize,
                                         const std::function<bool()>& stop);

// The bytes of activations that validate() takes, on a backend that computes nothing, whose parameters the model has.
std::size_t validation_memory(const Model& model, const Backend& backend, const Subword& source, const Subword& target,
                              const DevelopmentSet& set, int threads);

}  // namespace tt
