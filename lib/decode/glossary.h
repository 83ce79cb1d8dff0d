// What must stand in a translation: terms of a glossary, and stretches of the source that are kept as they are.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text/words.h"

namespace tt {

// Whether a word may go on from one of two neighbouring characters of a text, before and behind byte `at`, to the other: both are
// letters, digits or marks, and none is_unspaced().
bool word_goes_on(std::string_view text, std::size_t at);

// One of the alternatives must stand in the translation.
struct Wanted {
  std::string source;                     // what it stands for, for messages
  std::vector<std::string> alternatives;  // none of them empty
  bool verbatim = false;                  // there is one, and the translation has it byte for byte
};

// Terms and their translations, from a file of lines "source TAB target", or with more targets behind more TABs. Lines with the
// same source add to each other.
class Glossary {
 public:
  Glossary() = default;
  // Reads a file. Lines without a source or a target, or that are not UTF-8, are left out with a warning and counted, but empty
  // ones. Throws Error if it cannot be read.
  explicit Glossary(const std::string& path);

  std::size_t left_out() const { return left_out_; }

  // The terms in a text, from left to right, the longest first where they overlap, but none inside the stretches that are
  // `taken`. A term is found where no letter or digit stands against its own, unless these are written without spaces.
  std::vector<Wanted> find(std::string_view text, const std::vector<TextRange>& taken) const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> terms_;
  std::set<std::size_t, std::greater<>> lengths_;  // of the terms, in bytes
  std::size_t left_out_ = 0;
};

// Which stretches of a source are kept as they are.
struct Keep {
  bool tags = false;  // what stands between <keep> and </keep>, which are taken out of the source
  bool urls = false, emails = false, numbers = false;
};

// Takes the tags out of a text, and returns where what is to be kept stands then, from left to right.
std::vector<TextRange> find_kept(std::string& text, const Keep& keep);

// Which of the stretches that are to be verbatim, and that find_kept() would find alone, it does not find in a translation, as a
// number that stands against another; indices of `wanted`, in their order. There a sign belongs to its number even behind text
// without spaces.
std::vector<std::size_t> not_apart(const std::vector<Wanted>& wanted, std::string translation, Keep keep);

}  // namespace tt
