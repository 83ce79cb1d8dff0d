// Validation: the loss of a development set, and the BLEU of its translation, by the code of
// tt-translate and tt-bleu; and what their results mean for a run.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "decode/translator.h"
#include "text/corpus.h"
#include "train/run.h"

namespace tt {

struct ValidationResult {
  double loss = 0;  // mean negative log-likelihood per target token, nats
  double bleu = 0;  // percent; of several parts, their mean
  std::vector<std::string> translations;
  struct Part {
    std::string name;
    double loss = 0, bleu = 0;
  };
  std::vector<Part> parts = {};  // those of the set
};

// Scores and translates the development set by the model's settings, also of the tokenizer for
// BLEU. The result does not depend on the number of threads. Nothing if `stop` was true before all
// was translated; it is asked every 2,000 tokens, by any thread. Throws Error if the model's
// probabilities are not finite.
std::optional<ValidationResult> validate(const Model& model, const Backend& backend,
                                         ThreadPool& pool, const SubwordPair& subwords,
                                         const DevelopmentSet& set,
                                         const std::function<bool()>& stop);

// A note of all but the model that results of validation depend on: those of another set, search
// or tokenizer, or of weights in eight bits, cannot be compared.
std::string validation_of(const DevelopmentSet& set, const Config& config, bool quantized);

// Adds a validation to the state, in which it is no longer pending. Returns whether it is the
// best so far: BLEU decides; while it is 0, as at the start, the loss does.
bool take_validation(RunState& state, const ValidationResult& result);

// Why the translations cannot be good, though the loss may be: most of those of a part are one
// line, and the references are not. Empty if they are not.
std::string sameness(const DevelopmentSet& set, const ValidationResult& result);

// The bytes of activations that validate() takes, on a backend that computes nothing, whose
// parameters the model has.
std::size_t validation_memory(const Model& model, const Backend& backend,
                              const SubwordPair& subwords, const DevelopmentSet& set, int threads);

}  // namespace tt
