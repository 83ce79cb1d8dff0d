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
// behind more TABs. Lines with the same source add to each other. A line that is "#", or begins so
// with a space behind, is a comment; of one that begins with backslashes and a # the first is
// dropped.
class Glossary {
 public:
  Glossary() = default;
  // Reads a file. Lines without a source or a target, or that are not UTF-8, are left out with a
  // warning and counted, but empty ones and comments. Where case is ignored, terms are found by
  // their fold_case(). Throws Error if the file cannot be read.
  explicit Glossary(const std::string& path, bool ignores_case = false);

  std::size_t left_out() const { return left_out_; }

  // The terms in a text, from left to right, the longest first where they overlap, but none inside
  // the stretches that are `taken`, which are from left to right. A term is found where no letter
  // or digit stands against its own, unless these are written without spaces, and whatever
  // invisible characters it has.
  std::vector<Requirement> find(std::string_view text, const std::vector<TextRange>& taken) const;

 private:
  struct Term {
    std::string source;  // as it was given first
    std::vector<std::string> targets;
  };
  std::map<std::string, Term, std::less<>> terms_;  // as they are read, perhaps folded
  std::set<std::size_t, std::greater<>> lengths_;   // of these, in bytes
  std::size_t left_out_ = 0;
  bool ignores_case_ = false;
};

}  // namespace tt
