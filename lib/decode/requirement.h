// Requirements that a source makes on its translation: that it has terms of a glossary, and
// stretches that are kept as they are.
#pragma once

#include <string>
#include <vector>

#include "text/words.h"

namespace tt {

// One of the alternatives must stand in the translation.
struct Requirement {
  std::string source;                     // what it stands for, for messages
  std::vector<std::string> alternatives;  // none of them empty
  bool verbatim = false;                  // there is one, and the translation has it byte for byte
  TextRange place{0, 0};                  // of the source
};

}  // namespace tt
