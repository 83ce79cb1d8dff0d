// Loops, copies and gaps: translations that cannot be right, by the rules that drop pairs from a
// corpus (clean/) and by what the model notes of its target text.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "clean/target_text.h"
#include "decode/translator.h"

namespace tt {

// The names of all of them.
//   loops    a stretch that repeats four times in a row, as none of the source does
//   copies   the source, of several words beside names, numbers and what is to be kept
//   script   most letters are of another script than all of the model's target text
//   length   over three times as long or as short as the source makes it, and 10 characters
//   numbers  most numbers of the source and of the translation differ
const std::vector<std::string>& flaw_names();

// Any number of threads may use it.
class Flaws {
 public:
  // Those that are looked for, by their names, in translations of a model with that target text.
  Flaws(std::span<const std::string> names, const clean::TargetText& target);
  ~Flaws();

  // The flaws of a translation of a sentence.
  std::vector<Problem> of(const Request& request, const Translation& translation) const;

 private:
  struct Rules;
  std::unique_ptr<Rules> rules_;
};

}  // namespace tt
