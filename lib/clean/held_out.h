// A side that is also in a text held out from training, as a test set: one with the same key, which
// differs in case, punctuation and spaces at most.
#pragma once

#include <string>
#include <vector>

#include "clean/hash_set.h"
#include "clean/rule.h"

namespace tt::clean {

class HeldOut : public Rule {
 public:
  // Reads files of lines, of which each column between TABs counts, and keeps 11 to 21 bytes for
  // each. Throws Error as LineReader does, and if a line is not UTF-8.
  explicit HeldOut(const std::vector<std::string>& files);

  bool drops(const Pair& pair) override {
    return lines_.contains(pair.source.key) || lines_.contains(pair.target.key);
  }

 private:
  HashSet lines_;
};

}  // namespace tt::clean
