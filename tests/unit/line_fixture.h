// Shared by the tests of lines: a pipeline without a model.
#pragma once

#include <string>
#include <vector>

#include "lines/pipeline.h"
#include "tests/unit/text_fixture.h"

namespace tt {

// Models as transforms see them: subwords of made-up text, and no languages.
inline LineModels made_up_models() { return {{&made_up_model("bpe")}, &made_up_model("bpe")}; }

inline Line read_line(const std::string& line, const LineOptions& options) {
  return Pipeline(options, made_up_models()).read(line, 1);
}

inline std::vector<std::string> texts_of(const std::vector<Problem>& problems) {
  std::vector<std::string> all;
  for (const Problem& problem : problems) all.push_back(text_of(problem));
  return all;
}

}  // namespace tt
