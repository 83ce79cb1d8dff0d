// A side in which there is nothing to see.
#pragma once

#include "clean/rule.h"

namespace tt::clean {

class Empty : public Rule {
 public:
  bool drops(const Pair& pair) override {
    return pair.source.length == 0 || pair.target.length == 0;
  }
};

}  // namespace tt::clean
