// Placeholders that differ, as %s and {name}; see text/placeholders.h.
#pragma once

#include "clean/rule.h"

namespace tt::clean {

class Placeholders : public Rule {
 public:
  bool drops(const Pair& pair) override;
};

}  // namespace tt::clean
