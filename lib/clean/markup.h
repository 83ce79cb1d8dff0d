// Markup on one side alone: tags of other elements than the other side has, or character entities
// where it has characters.
#pragma once

#include "clean/rule.h"

namespace tt::clean {

class Markup : public Rule {
 public:
  bool drops(const Pair& pair) override;
};

}  // namespace tt::clean
