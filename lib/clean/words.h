// Words that are not written as words are: the letters of one apart, several in one, and letters of
// two scripts in one. Those that the other side has, too, are names.
#pragma once

#include "clean/rule.h"

namespace tt::clean {

// "D a s  a l t e": words of one letter in a row, at least so many.
class LettersApart : public Rule {
 public:
  explicit LettersApart(double letters) : letters_(static_cast<std::size_t>(letters)) {}
  bool drops(const Pair& pair) override;

 private:
  const std::size_t letters_;
};

// "EinMannGeht": a word with so many capitals behind small letters, or of over 40 letters, where
// the other side has none; names of variables are translated so.
class WordsGlued : public Rule {
 public:
  explicit WordsGlued(double capitals) : capitals_(static_cast<std::size_t>(capitals)) {}
  bool drops(const Pair& pair) override;

 private:
  static constexpr std::size_t kLongest = 40;  // letters
  const std::size_t capitals_;
};

// "Mоsсоw", of which three letters are Cyrillic: letters of Latin, Greek and Cyrillic in one word.
class MixedScripts : public Rule {
 public:
  bool drops(const Pair& pair) override;
};

}  // namespace tt::clean
