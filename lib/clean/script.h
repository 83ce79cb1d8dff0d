// A side that is written in another script than its language.
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
    return is_other(pair.source, source_) || is_other(pair.target, target_);
  }

 private:
  struct Scripts {
    std::vector<int> scripts;
    bool latin;  // those of ASCII
  };
  static Scripts of(const std::string& language);
  bool is_other(const Side& side, const Scripts& scripts) const;

  const Scripts source_, target_;
  const double share_;
};

}  // namespace tt::clean
