// Control characters, which text does not have, but files that were damaged or no text do.
#pragma once

#include "clean/rule.h"

namespace tt::clean {

class Stray : public Rule {
 public:
  bool drops(const Pair& pair) override { return pair.source.stray || pair.target.stray; }
};

}  // namespace tt::clean
