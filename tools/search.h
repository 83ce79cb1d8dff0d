// The flags of search: what they leave open, the model decides.
#pragma once

#include <string>

#include "decode/translator.h"
#include "tools/options.h"

namespace tt {

struct SearchFlags {
  std::string penalty,
      forbidden;  // empty: the model's, and none; where a number is negative, the model's
  double alpha = -1, diversity = 0;
  int beam = -1, extra_length = -1, best = 0, minimum = 0, no_repeat = 0, groups = 1;
  bool sample = false;
  SampleOptions sampling;

  // Throws UsageError for what contradicts itself with any model.
  void check() const;
  // Sets the options of a search with this model. Throws Error if the file of forbidden pieces
  // cannot be read, or names what is none.
  void apply(const SearchSettings& model, const Subword& target, TranslateOptions& options) const;
};

Group search_group(SearchFlags& flags);
Group sampling_group(SearchFlags& flags);

}  // namespace tt
