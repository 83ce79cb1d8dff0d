// The flags of search: what they leave open, the model decides.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "decode/translator.h"

namespace tt {

struct SearchFlags {
  std::string penalty, forbidden;  // empty: the model's, and none; where a number is negative, the model's
  double alpha = -1, diversity = 0;
  int beam = -1, extra_length = -1, best = 0, minimum = 0, no_repeat = 0, groups = 1;
  bool sample = false;
  SampleOptions sampling;

  // Throws CLI::ValidationError for what contradicts itself with any model.
  void check() const;
  // Sets the options of a search with this model. Throws Error if the file of forbidden pieces cannot be read, or names what is
  // none.
  void apply(const Config& model, const Subword& target, TranslateOptions& options) const;
};

// Adds them to the parser. What contradicts itself is refused there.
void add_search(CLI::App& app, SearchFlags& flags);

}  // namespace tt
