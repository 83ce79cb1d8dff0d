// URLs and e-mail addresses that differ.
#pragma once

#include "clean/rule.h"

namespace tt::clean {

class Addresses : public Rule {
 public:
  bool drops(const Pair& pair) override;
};

}  // namespace tt::clean
