// Loops, copies and omissions: translations that cannot be right, by the rules that drop pairs from
// a corpus (clean/) and by what the model notes of its target text.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "clean/target_text.h"
#include "decode/loaded_model.h"
#include "decode/translator.h"

namespace tt {

// The names of all of them.
//   loops    words that repeat four times in a row, or letters six times, as none of the source do
//   copies   the source, of several words beside names, numbers and what is to be kept
//   script   most letters are of another script than all of the model's target text
//   length   over three times as long or as short as the source makes it, and 10 characters, or
//            over 2.5 times as short, and 18 characters
//   numbers  most numbers of the source and of the translation differ
const std::vector<std::string>& flaw_names();

// That which a model notes; of one that does not, no scripts and the length 1.
clean::TargetText target_text_of(const LoadedModel& model);

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
