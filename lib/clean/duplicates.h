// A pair that has come before.
#pragma once

#include <string>

#include "base/report.h"
#include "clean/hash_set.h"
#include "clean/rule.h"

namespace tt::clean {

class Duplicates : public Rule {
 public:
  enum class By { text, key };  // the same bytes, as Side has them; the same key

  // It remembers pairs in at most so many bytes.
  Duplicates(By by, std::size_t bytes) : by_(by), seen_(bytes) {}

  bool drops(const Pair& pair) override {
    return !seen_.insert(by_ == By::key ? hash(pair.source.key, pair.target.key)
                                        : hash(pair.target.text, hash(pair.source.text)));
  }

  std::string missed() const override {
    if (seen_.left_out() == 0) return {};
    return "the memory was full after " + with_commas(seen_.size()) +
           " pairs, so that later ones were not found again";
  }

 private:
  const By by_;
  HashSet seen_;
};

}  // namespace tt::clean
