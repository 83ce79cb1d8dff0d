// The pieces in which what a translation must have can stand there.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "decode/requirement.h"
#include "decode/terms.h"
#include "text/subword.h"

namespace tt {

class Spelling {
 public:
  // The subword model must outlive it.
  explicit Spelling(const Subword& target) : target_(target) {}

  // The pieces that each alternative can be. A piece that begins a word may do without its mark
  // where there need be no space before it. None of an alternative that has unknown characters,
  // unless it is verbatim, or more than 256 pieces. Of what is verbatim and has more than 64,
  // search sees the first 32 and the last: they stand for the rest.
  std::vector<Terms::Phrase> phrases(const Requirement& requirement) const;

  const WordPieces& words() const;  // of the target; made when they are first needed

 private:
  void append(const std::string& alternative, bool verbatim,
              std::vector<Terms::Phrase>& phrases) const;
  Terms::Phrase behind_another(const std::string& text) const;
  Terms::Phrase without_mark(const Terms::Phrase& phrase) const;

  const Subword& target_;
  mutable std::once_flag words_once_;
  mutable WordPieces words_;
};

}  // namespace tt
