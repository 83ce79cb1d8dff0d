// Placeholders that differ, as %s and {name}; see wrong_placeholders() in text/placeholders.h.
#pragma once

#include "clean/rule.h"
#include "text/placeholders.h"

namespace tt::clean {

class Placeholders : public Rule {
 public:
  bool drops(const Pair& pair) override {
    return (pair.source.may_have_placeholders() || pair.target.may_have_placeholders()) &&
           !wrong_placeholders(pair.source.text, pair.target.text, "").empty();
  }
};

}  // namespace tt::clean
