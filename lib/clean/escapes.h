// Characters that are spelled by their numbers, as \u006e, \U0001F600 and \x6E, other ones on each
// side: what a program wrote so and none has read again.
#pragma once

#include "clean/rule.h"

namespace tt::clean {

class Escapes : public Rule {
 public:
  bool drops(const Pair& pair) override;
};

}  // namespace tt::clean
