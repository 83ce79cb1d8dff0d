// A side that is written in another script than its language, but for words that the other side has
// as well. What is the same on both sides is a matter of the rule for that.
#pragma once

#include <string>
#include <vector>

#include "clean/rule.h"

namespace tt::clean {

struct Scripts {
  explicit Scripts(std::vector<int> which);

  std::vector<int> scripts;
  bool latin;  // those of ASCII
};

// Whether less than `share` of the letters of a side, outside tags and placeholders, have one of
// these scripts.
bool in_other_script(const Side& side, const Side& other, const Scripts& scripts, double share);

class Script : public Rule {
 public:
  // The languages by their ISO 639 codes, and the share of the letters, outside tags and
  // placeholders, that must have their scripts. Throws Error if a language is not known.
  Script(const std::string& source, const std::string& target, double share);

  bool drops(const Pair& pair) override {
    return pair.source.key != pair.target.key &&
           (in_other_script(pair.source, pair.target, source_, share_) ||
            in_other_script(pair.target, pair.source, target_, share_));
  }

 private:
  const Scripts source_, target_;
  const double share_;
};

}  // namespace tt::clean
