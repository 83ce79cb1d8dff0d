// A side that is written in another script than its language, but for words that the other side has
// as well. What is the same on both sides is a matter of the rule for that.
#pragma once

#include <string>

#include "clean/rule.h"

namespace tt::clean {

class Script : public Rule {
 public:
  // The languages by their ISO 639 codes, and the share of the letters, outside tags and
  // placeholders, that must have their scripts. Throws Error if a language is not known.
  Script(const std::string& source, const std::string& target, double share);

  bool drops(const Pair& pair) override {
    return pair.source.key != pair.target.key && (is_other(pair.source, pair.target, source_) ||
                                                  is_other(pair.target, pair.source, target_));
  }

 private:
  struct Scripts {
    std::vector<int> scripts;
    bool latin;  // those of ASCII
  };
  static Scripts of(const std::string& language);
  bool is_other(const Side& side, const Side& other, const Scripts& scripts) const;

  const Scripts source_, target_;
  const double share_;
};

}  // namespace tt::clean
