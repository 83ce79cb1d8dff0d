// Glossaries: terms and their translations.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "decode/requirement.h"

namespace tt {

// Terms and their translations, from a file of lines "source TAB target", or with more targets
// behind more TABs. Lines with the same source add to each other.
class Glossary {
 public:
  Glossary() = default;
  // Reads a file. Lines without a source or a target, or that are not UTF-8, are left out with a
  // warning and counted, but empty ones. Throws Error if it cannot be read.
  explicit Glossary(const std::string& path);

  std::size_t left_out() const { return left_out_; }

  // The terms in a text, from left to right, the longest first where they overlap, but none inside
  // the stretches that are `taken`, which are from left to right. A term is found where no letter
  // or digit stands against its own, unless these are written without spaces, and whatever
  // invisible characters it has.
  std::vector<Requirement> find(std::string_view text, const std::vector<TextRange>& taken) const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> terms_;  // as they are read
  std::set<std::size_t, std::greater<>> lengths_;                       // of the terms, in bytes
  std::size_t left_out_ = 0;
};

}  // namespace tt
